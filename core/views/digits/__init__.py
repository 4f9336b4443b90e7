"""Pictures of digits, drawn for a text: the encoder, the way from noise, and what comes of it."""
