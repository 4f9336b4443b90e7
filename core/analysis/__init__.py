"""What can be worked out from a trace: pure numpy, no model is run."""
