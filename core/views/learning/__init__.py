"""How a model learns: the optimiser, the learning rate, the targets, and a training to watch."""
