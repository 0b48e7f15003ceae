"""Widgets of our own: the list view with its model and viewport, frame, find bar, selection."""
