"""A film of learning: one small model at a dozen moments of its training, recorded."""
