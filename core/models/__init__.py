"""The machines: a frozen config and a model each, and what they can do as protocols."""
