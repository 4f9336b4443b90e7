"""Masks: who may look at whom, at whose cost, what leaks, and what the model says under one.

All of them work on one kind of attention of a model. Where rows and columns are the same tokens
every mask makes sense; from a target to a source there is no before and after, so that only what
names cells or padding does.
"""
