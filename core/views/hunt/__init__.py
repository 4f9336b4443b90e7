"""A machine with a hidden fault: its symptoms, what a probe shows, and the score."""
