"""Pages on which something is tried and measured."""
