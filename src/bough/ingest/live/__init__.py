"""Files as they grow: tails, the sessions watched, and the changes they give."""
