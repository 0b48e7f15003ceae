"""Lists of projects, sessions and conversations, from the index or from the files."""
