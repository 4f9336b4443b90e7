"""Pages on the other parts of a block."""
