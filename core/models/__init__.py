"""The machines: a frozen config and a model each, what they can do, what they are made of."""
