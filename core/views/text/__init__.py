"""Tokenization: a text cut into tokens, how the merges were learnt, what a character costs."""
