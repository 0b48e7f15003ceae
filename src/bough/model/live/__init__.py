"""What a session does right now: progress of its turn, status, events of each new record."""
