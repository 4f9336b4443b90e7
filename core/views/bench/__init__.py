"""A machine with a fault in it beside the same machine as it is."""
