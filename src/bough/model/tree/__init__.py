"""Tree."""
