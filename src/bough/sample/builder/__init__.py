"""Builder."""
