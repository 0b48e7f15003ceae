"""How things look on a terminal: shared by the command line and the terminal app."""
