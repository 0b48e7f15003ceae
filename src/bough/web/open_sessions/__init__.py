"""Sessions that pages have open: kept parsed, continued when their file grows."""
