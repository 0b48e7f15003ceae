"""Usage reports: where the numbers come from, how they are grouped, why a line counts."""
