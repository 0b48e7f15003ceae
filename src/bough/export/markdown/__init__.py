"""A conversation as Markdown."""
