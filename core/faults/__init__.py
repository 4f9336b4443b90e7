"""Faults that can be put into a running machine, each an entry of one table."""
