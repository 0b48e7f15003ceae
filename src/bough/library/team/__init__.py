"""Calls about a team's store: its tables, its members, push and pull."""
