"""A session at a glance: its turns, on branches that part where a person went back.

Built on a whole session: what each turn cost, which agents it started, which messages it is
made of.
"""
