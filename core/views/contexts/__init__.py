"""One word in several sentences: what its vectors know of what stands around it."""
