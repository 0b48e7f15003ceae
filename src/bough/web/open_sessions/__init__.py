"""Open sessions."""
