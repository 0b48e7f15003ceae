"""Tokens and money.

What calls used, what they cost by which prices, counted once over all files.
"""
