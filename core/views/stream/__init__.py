"""The residual stream: its size through the layers, and the gradient that comes back down it."""
