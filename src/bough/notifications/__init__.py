"""Notifications: what a person is told away from bough, and how it gets to them."""
