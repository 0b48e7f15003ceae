"""What tools, hooks, agents, models and people did, counted from the index.

One module per report. Each takes a store and a scope and gives a struct whose fields are
the JSON of `bough stats`, documented in docs/stats.md. Nothing is counted twice because a
resume or a fork copied it.
"""
