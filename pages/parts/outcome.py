"""Whether what a figure shows is what an experiment led to."""

from __future__ import annotations

import dataclasses
from typing import Any

from core.experiments import Experiment
from core.views.params import declared


def still(experiment: Experiment, now: Any) -> bool:
    """Whether what is shown is what the experiment led to, whatever is selected in it."""
    cls, then = type(now), experiment.params(experiment.after)
    given = {name for name, value in experiment.after.items() if value is not None}
    names = [
        field.name
        for field in dataclasses.fields(cls)
        if field.name in given and declared(cls, field.name).lives == "server"
    ]
    return all(
        getattr(now, name) == experiment.beside(name, getattr(now, name), getattr(then, name))
        for name in names
    )
