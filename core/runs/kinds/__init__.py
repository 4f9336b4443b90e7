"""What can be asked of models: each topic's requests, their results and who answers them."""
