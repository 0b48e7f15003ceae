"""The embedded index: SQLite with full-text search."""
