"""The web app of a team: who comes in, and what each is shown."""
