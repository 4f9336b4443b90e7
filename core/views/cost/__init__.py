"""What a Transformer costs: parameters, multiplications, memory and time."""
