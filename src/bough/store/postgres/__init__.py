"""A team's store: the same index in PostgreSQL, for many machines."""
