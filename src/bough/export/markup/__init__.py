"""Text as HTML: prose, code, colours of a terminal, changes of a file."""
