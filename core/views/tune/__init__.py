"""Fine-tuning: what a new head makes of a body that has learned something else."""
