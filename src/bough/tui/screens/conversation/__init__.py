"""The conversation screen and its parts: folds, find, follow, branches, actions."""
