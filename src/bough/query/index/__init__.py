"""The index as the faces use it.

Opened, brought up to date, checked, refreshed in the background.
"""
