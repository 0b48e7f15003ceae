"""Builders of session files, record by record, for the demo and the tests."""
