"""Decoders of any block shape, measured and trained beside others; none is on the shelf."""
