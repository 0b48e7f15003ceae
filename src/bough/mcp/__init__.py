"""A face: old conversations as answers that an agent can ask for, over MCP.

Its one promise beside being right: what stands in old transcripts reaches the agent as quoted
data, of the projects that it was started for, without secrets, and within a number of tokens.
"""
