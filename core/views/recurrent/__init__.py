"""Recurrent layers: what their gates let through and what their state is, step by step."""
