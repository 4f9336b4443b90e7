"""Experiments: one click each, with the number that it promises to move, as data."""

from core.experiments.experiment import Experiment, Outcome
from core.yaml_files import read_rows

EVERY = read_rows("experiments.yaml", Experiment)
BY_ID = {one.id: one for one in EVERY}

__all__ = ["BY_ID", "EVERY", "Experiment", "Outcome", "about"]


def about(*topics: str) -> tuple[Experiment, ...]:
    """Those of some topics, by the first word of their ids."""
    return tuple(experiment for experiment in EVERY if experiment.id.partition(".")[0] in topics)
