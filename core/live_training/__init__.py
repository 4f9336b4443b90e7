"""Tiny trainings and measurements of training that a page runs live."""
