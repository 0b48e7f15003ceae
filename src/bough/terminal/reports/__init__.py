"""Tables, charts and lists of the commands, as lines of a terminal."""
