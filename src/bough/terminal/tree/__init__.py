"""The graph of a session: branches laid out in lanes, drawn as rows."""
