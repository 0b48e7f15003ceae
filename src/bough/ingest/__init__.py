"""The way in: files become rows, by the same function in bulk and live."""
