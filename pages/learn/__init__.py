"""Pages that teach step by step."""
