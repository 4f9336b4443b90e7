"""Pages on attention, of one head and of all."""
