"""What was trained to be recorded: curves, a film, a generator of digits, lengths."""
