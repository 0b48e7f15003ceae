"""The graph of a session as items of a list, in every zoom."""
