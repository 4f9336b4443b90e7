"""A sentence and what it becomes in another language: source, target, and the next word."""
