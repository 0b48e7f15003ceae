"""A conversation as lines of a terminal."""
