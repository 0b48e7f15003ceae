"""Searches.

Run, verified against the files, paged by cursors, with completion and suggestions.
"""
