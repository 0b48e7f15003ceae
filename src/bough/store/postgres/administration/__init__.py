"""What an admin does with a team's database: budgets, trials of the engine, months."""
