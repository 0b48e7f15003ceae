"""Sessions that are live: which run, what happens in them, as a stream of events."""
