"""The generator of digits and how it draws."""
