"""The tree of a session.

Nodes from records, message groups from nodes, branches, the active tip, lineage.
"""
