"""Calls about a team: its tables, its members, what is sent to it and fetched from it."""
