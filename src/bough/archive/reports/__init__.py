"""What an archive can say: what is kept, what the client deletes next, what is damaged or lost."""
