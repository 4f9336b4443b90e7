"""Block shapes: the circuit, the signal and the gradient before training, and learning."""
