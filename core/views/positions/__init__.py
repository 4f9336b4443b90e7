"""Order: the sinusoidal table, other ways to tell positions apart, and a shuffle."""
