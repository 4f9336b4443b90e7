"""Pictures: what a model sees in one, and how it gets there."""
