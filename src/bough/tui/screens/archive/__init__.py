"""The archive on a screen, and the question before a copy is removed."""
