"""Files into the index.

What changed, read by workers, written as rows, summed up as session facts.
"""
