"""The frame of a page whose figures ask for themselves."""
