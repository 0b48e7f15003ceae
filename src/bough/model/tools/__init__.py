"""Tool calls: which result belongs to which call, how a call is summed up, how it ended."""
