"""Questions: what the faces ask, and the answers as plain values."""
