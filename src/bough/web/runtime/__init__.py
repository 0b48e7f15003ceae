"""What runs beside the requests: live updates, the broadcaster, caches of lists, the index."""
