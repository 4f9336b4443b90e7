"""Which model to train next when there is time."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.checkpoints import native
from core.checkpoints.files import read_json
from core.training.cards import RUNS
from core.training.recipe import Recipe

_SHORTEST = 10.0  # minutes that are worth a run


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """One run of the queue.

    Attributes:
        id: of the recipe.
        minutes: its budget.
        from_shelf: go on from the shipped weights.
    """

    id: str
    minutes: float
    from_shelf: bool


def next_job(
    recipes: Sequence[Recipe],
    runs: Mapping[str, Sequence[Mapping[str, Any]]],
    minutes: float,
    no_better: frozenset[str] = frozenset(),
) -> QueuedRun | None:
    """What to do with the minutes that are left; None when there is nothing worth while.

    What is missing comes first, in the order of the recipes. Of the others, the one
    that would read most beside what it has read: the loss of a small model falls about as the
    logarithm of that (Kaplan et al. 2020, section 4), so that this is what gains most.

    Args:
        recipes: one a model.
        runs: of each model that is on the shelf, the facts of its runs.
        minutes: that are left.
        no_better: models that a run of this queue made no better.
    """
    if minutes < _SHORTEST:
        return None
    missing = [
        recipe
        for recipe in recipes
        if recipe.id not in runs
        and recipe.id not in no_better
        and (recipe.begins_from is None or recipe.begins_from in runs)
    ]
    if missing:
        return QueuedRun(missing[0].id, min(minutes, missing[0].minutes), from_shelf=False)

    def growth(recipe: Recipe) -> float:
        read = sum(run[recipe.task.counts] for run in runs[recipe.id])
        spent = sum(run["minutes"] for run in runs[recipe.id])
        more = read / max(1, spent) * min(minutes, recipe.minutes)
        return math.log((read + more) / read)

    there = [recipe for recipe in recipes if recipe.id in runs and recipe.id not in no_better]
    if not there:
        return None
    best = max(there, key=growth)
    return QueuedRun(best.id, min(minutes, best.minutes), from_shelf=True)


def runs_on(shelf: Path, recipes: Sequence[Recipe]) -> dict[str, list[dict[str, Any]]]:
    """The facts of the runs behind each model that is on the shelf."""
    there = [r.id for r in recipes if (shelf / r.id / native.METRICS_FILE).is_file()]
    return {model_id: read_json(shelf / model_id / native.METRICS_FILE)[RUNS] for model_id in there}


def work(
    recipes: Sequence[Recipe],
    minutes: float,
    shelf: Path,
    common: Sequence[str],
    report: Callable[[str], None] = print,
) -> None:
    """Train and shelve until the minutes are used up, each run in a process of its own.

    Args:
        recipes: one a model.
        minutes: for all runs.
        shelf: where the shipped models lie.
        common: arguments of every run, such as where the corpora are.
        report: gets a line for each run.
    """
    ends = time.monotonic() + minutes * 60
    no_better: frozenset[str] = frozenset()
    while job := next_job(
        recipes, runs_on(shelf, recipes), (ends - time.monotonic()) / 60, no_better
    ):
        report(f"{job.id}: {job.minutes:.0f} minutes")
        train = [job.id, *common, "--minutes", str(job.minutes), "--shelf", str(shelf)]
        trained = _run([*train, "--from-shelf"] if job.from_shelf else train)
        put = ["shelve", job.id, "--tier", recipes[0].tier, "--shelf", str(shelf)]
        if not trained or not _run(put):
            no_better |= {job.id}


def _run(arguments: Sequence[str]) -> bool:
    done = subprocess.run([sys.executable, "-m", "core.training", *arguments], check=False)
    return done.returncode == 0
