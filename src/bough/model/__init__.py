"""Meaning: what the records of a session say, as pure functions over values."""
