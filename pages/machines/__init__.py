"""Pages on the machines before and beside the Transformer."""
