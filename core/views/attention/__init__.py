"""Attention: one row in words, every step's arithmetic, all heads, lines, and why it is scaled.

All of them work on one kind of attention of a model, from one stream to another: to itself, where
rows and columns are the same tokens, or from a target to a source.
"""
