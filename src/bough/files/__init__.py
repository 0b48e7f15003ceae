"""Bytes: which files there are, and their lines."""
