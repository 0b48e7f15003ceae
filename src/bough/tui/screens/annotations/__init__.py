"""Stars, notes and hidden projects on every screen that lists something."""
