"""What comes next: its distribution through every filter, surprise, layers, and the cache."""
