"""Calls about the archive: take in, status, verify, forget, carry, back up."""
