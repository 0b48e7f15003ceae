"""A team's history: what leaves this machine, and what comes back to it."""
