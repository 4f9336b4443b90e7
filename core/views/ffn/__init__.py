"""The feed-forward network: its units, what they fire on, what they write, its curve."""
