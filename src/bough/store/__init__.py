"""The index: what was found in the files, kept so that questions are answered at once."""
