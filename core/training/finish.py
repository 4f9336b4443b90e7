"""From a run to a measured model, and from there to the shelf."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from core import zoo
from core.checkpoints import native
from core.errors import CheckpointError
from core.language import N_
from core.training.cards import RECIPE, RUNS, measures_of, write_card
from core.training.progress import Progress
from core.training.recipe import Recipe, Standard
from core.training.rundir import MODEL
from core.training.tasks.task import Metrics

_ROOT = Path(__file__).resolve().parent.parent.parent


def commit() -> str:
    """The commit that is checked out, "" where there is none; "+" when files differ from it."""
    ask = ["git", "-C", str(_ROOT)]
    try:
        completed = subprocess.run(
            [*ask, "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True, check=True
        )
        changed = subprocess.run(
            [*ask, "diff", "--quiet", "HEAD", "--", "core"], capture_output=True, check=False
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return completed.stdout.strip() + ("+" if changed.returncode else "")


def run_facts(
    recipe: Recipe, progress: Progress, seed: int, *, earlier: int, from_shelf: bool, made_at: str
) -> dict[str, Any]:
    """What a card says of a run, and what it takes to carry it out again.

    Its command reads the rest from these facts, which lie beside the weights.

    Args:
        recipe: that was followed.
        progress: where the run ended.
        seed: of the run.
        earlier: how many runs made the weights it began with.
        from_shelf: whether it went on from the shipped weights.
        made_at: the commit it was made at.
    """
    words = f"python -m core.training {recipe.id} --corpora DIR --again {earlier + 1}"
    return {
        "command": words + " --from-shelf" * from_shelf,
        "commit": made_at,
        "minutes": round(progress.seconds / 60),
        "steps": progress.step,
        recipe.task.counts: progress.read,
        "tier": recipe.tier,
        "seed": seed,
        "threads": torch.get_num_threads(),
        "falls": ",".join(f"{fall.step}:{fall.n_steps}" for fall in progress.rates.falls),
    }


def measure_run(
    recipe: Recipe, run: Path, runs: Sequence[dict[str, Any]], directory: Path
) -> zoo.LoadedModel:
    """Measure the model that a run left, and write its card.

    Args:
        recipe: of the run.
        run: its directory.
        runs: facts of all runs that made the weights, this one last.
        directory: of the corpora.
    """
    # Measured on what is on disk: rounding to bfloat16 is part of the model.
    stored = zoo.load(str(run / MODEL))
    metrics = {
        **recipe.task.measure(stored, directory),
        RUNS: list(runs),
        RECIPE: recipe.id,
    }
    card = write_card(recipe, stored, metrics)
    checkpoint = native.load(run / MODEL)
    native.save(
        run / MODEL,
        checkpoint.architecture,
        checkpoint.model,
        checkpoint.encoders,
        card=card,
        metrics=metrics,
    )
    return zoo.load(str(run / MODEL))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run's model is put on the shelf.

    Attributes:
        shelved: it is.
        reasons: a line each.
    """

    shelved: bool
    reasons: tuple[str, ...]


def broken_promises(name: str, directory: Path) -> list[str]:
    """What the pages' experiments promise and this model would not keep, a line each.

    They are carried out in a process of its own, which has loaded nothing yet.

    Args:
        name: of the model on the shelf.
        directory: of the one that would take its place.
    """
    ask = [sys.executable, "-m", "core.experiments", "--instead", name, str(directory)]
    done = subprocess.run(ask, capture_output=True, text=True, check=False, cwd=_ROOT)
    if not done.returncode:
        return []
    broken = [line for line in done.stdout.splitlines() if line.startswith("BROKEN")]
    return broken or [f"its experiments could not be carried out: {done.stderr[-300:]}"]


def shelve(recipe: Recipe, run: Path, shelf: Path, *, instead: bool = False) -> Verdict:
    """Put a measured model on the shelf, if it reaches every bar and is better than what is there.

    The experiments of the pages must move what they promise on it, too. A measure that is newer
    than the card on the shelf cannot speak for the model there: the others are compared, and the
    verdict names it.

    Args:
        recipe: of the run.
        run: its directory.
        shelf: where the shipped models lie.
        instead: it need not be better, because the one there has learned from other data, say.

    Raises:
        CheckpointError: the run has left no measured model.
    """
    new = native.load(run / MODEL)
    if not new.metrics:
        raise CheckpointError(run, N_("this run's model has not been measured; end the run first"))
    standard, measured = recipe.standard, measures_of(new.metrics)
    if unknown := standard.unmeasured(measured):
        return Verdict(False, tuple(f"{name} was not measured in this run" for name in unknown))
    reasons = [
        f"{name} is {value:.3f}, the bar is {bar}"
        for name, (value, bar) in standard.missed(measured).items()
    ]
    left_out: list[str] = []
    if not instead and (shelf / recipe.id / native.CONFIG_FILE).is_file():
        before = measures_of(native.load(shelf / recipe.id).metrics)
        worse, left_out = _compared(standard, measured, before)
        reasons += worse
    if not reasons and recipe.tier != "tiny":
        reasons += broken_promises(recipe.id, run / MODEL)
    if reasons:
        return Verdict(False, (*reasons, *left_out))
    native.save(
        shelf / recipe.id,
        new.architecture,
        new.model,
        new.encoders,
        card=new.card,
        metrics=new.metrics,
    )
    return Verdict(True, (f"its mean is {standard.score(measured):.4f}", *left_out))


def _compared(standard: Standard, new: Metrics, old: Metrics) -> tuple[list[str], list[str]]:
    """Why a model is no better than one on the shelf, and what its card could not be asked."""
    shared = tuple(name for name in standard.measures if name in old)
    left_out = [
        f"the card on the shelf does not say {name}, so it was not compared"
        for name in standard.measures
        if name not in shared
    ]
    if not shared:
        return [], left_out
    both = replace(standard, measures=shared)
    score, before = both.score(new), both.score(old)
    if score > before:
        return [], left_out
    return [f"its mean is {score:.4f}, that on the shelf {before:.4f}"], left_out
