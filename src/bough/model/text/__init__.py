"""Texts for people and for searches.

Formats of numbers and times, snippets, search tokens, line differences.
"""
