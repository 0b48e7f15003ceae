"""A conversation as items of a list: turns, tool calls, folds, what is found in it."""
