"""The status line: one line for the client to show, made of the standard library alone."""
