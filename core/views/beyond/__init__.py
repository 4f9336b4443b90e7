"""What comes after pretraining."""
