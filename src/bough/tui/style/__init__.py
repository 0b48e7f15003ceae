"""How the terminal app looks: styles, themes, ASCII signs, the colour behind it."""
