"""One line of conversation as a person reads it.

Messages, turns, their outline, titles, what filled the context.
"""
