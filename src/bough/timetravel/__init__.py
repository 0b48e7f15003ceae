"""The way out: going back, branching and mending, the only writer of the user's files.

A request becomes a Plan (`travel`), which changes nothing and can be shown (`preview`); a Plan
is carried out by `apply`, which checks, backs up, writes, reads back, and can be undone.
"""
