"""Runs as data: what a view asks for, what comes back, and who works it out, once for all."""
