"""The answers of figures."""
