"""Two branches side by side: what was said, and which files each left behind."""
