"""The Textual app itself.

Start, navigation, palette, what reaches it from live sessions and the index.
"""
