"""What a browser is given: the answer of a figure, whole; what it knows of its app."""
