"""What bough sets in the settings of the client: the status line, hooks and the guard."""
