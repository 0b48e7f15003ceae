"""Documents: a conversation as HTML, Markdown and JSON.

The web pages and the exported files show the same fragments, made here once. Whatever a
transcript holds is text: nothing of it may become a tag, an attribute, an address to load
from, or a style of its own.
"""
