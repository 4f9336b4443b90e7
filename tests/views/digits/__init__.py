"""The views of the generator of digits."""
