"""The generator of digits: how it learns, and how often it draws what a text names."""
