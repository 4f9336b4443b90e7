"""What is said of the models on the shelf, and which of them is shown."""
