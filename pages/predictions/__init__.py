"""Pages on what a model predicts."""
