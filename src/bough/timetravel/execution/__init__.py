"""A plan carried out step by step, each step journalled so that it can be undone."""
