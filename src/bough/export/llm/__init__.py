"""A conversation for a model to read on from, within a budget."""
