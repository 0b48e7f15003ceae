"""Plans of each operation: pure, from what a file holds to the writes that would follow."""
