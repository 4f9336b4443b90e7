"""Models on disk: our own layout, and those of Hugging Face checkpoints."""
