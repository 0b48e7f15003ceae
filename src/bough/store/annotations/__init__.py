"""Stars, short notes and hidden projects, in a file of their own that nothing else touches."""
