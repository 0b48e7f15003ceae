"""What an old session has to say to a new question: earlier runs, decisions, what was dropped."""
