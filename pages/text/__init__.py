"""Pages on what becomes of a text before the first block."""
