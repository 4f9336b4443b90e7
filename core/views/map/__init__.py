"""The whole model: the run on one screen, and folded flat."""
