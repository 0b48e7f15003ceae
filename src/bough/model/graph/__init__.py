"""The graph of a session, for every face: what stands in it, and in which lane."""
