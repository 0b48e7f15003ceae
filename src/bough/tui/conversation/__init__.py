"""A conversation as items of a list: messages, tool calls, folds, what is found in it."""
