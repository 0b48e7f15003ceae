"""Sub-agents: which call started which agent, what runs they are part of, what they did."""
