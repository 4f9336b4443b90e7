"""Who works a request out: one file for each kind, registered by its type."""
