"""What looks like a secret: found, named and hidden."""
