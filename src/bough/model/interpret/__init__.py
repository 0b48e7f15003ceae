"""What a single record means: who speaks, which note it is, which hook ran, what failed."""
