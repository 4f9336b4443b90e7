"""One small Transformer, trained with warm-ups of several lengths: how far its weights move."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from core.data.measured import FOLDER, WARM_UP
from core.errors import ParameterError
from core.language import N_
from core.live_training.exercises import EXERCISES
from core.live_training.practice import TEST, Pupil
from core.live_training.schedules import WarmupStableCooldown
from core.seeds import checked_seed
from core.training.finish import commit

EXERCISE, RATE, STEPS, FLOOR = "reverse", 0.05, 600, 0.02
WARM_UPS = (1, 10, 30, 50, 100, 300)  # steps of the rise
WAITS = 50  # steps in which a last one only fills Adam's averages, before it begins at full rate
FIRST, EVERY = (1, 2, 3, 5, 8), 10  # steps that are told
COMMAND = "python -m core.training warm-up"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said behind the command."""
    parser.add_argument("--out", type=Path, default=FOLDER / f"{WARM_UP}.json")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, help="CPU threads; default: torch's own")


def command(arguments: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Train with each warm-up, and write how far the weights moved and what was learned."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    if arguments.steps < 1:
        raise ParameterError("steps", arguments.steps, N_("at least 1"))
    seed = checked_seed(arguments.seed)
    trainings: list[dict[str, Any]] = []
    for warm_up, waits in (*((warm_up_, 0) for warm_up_ in WARM_UPS), (1, WAITS)):
        trainings.append(_followed(warm_up, waits, seed, arguments.steps))
        say(f"warm-up {warm_up}, waits {waits}: {trainings[-1]['whole']:.1%} right")
    record = {
        "command": COMMAND + (f" --seed {seed}" if seed else ""),
        "commit": commit(),
        "seed": seed,
        "exercise": EXERCISE,
        "rate": RATE,
        "steps": told_at(arguments.steps),
        "held": TEST,
        "trainings": trainings,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    return 0


def told_at(steps: int) -> Sequence[int]:
    """The steps that are told, counted from 1."""
    return [*(step for step in FIRST if step <= steps), *range(EVERY, steps + 1, EVERY)]


def _followed(warm_up: int, waits: int, seed: int, steps: int) -> dict[str, Any]:
    """One training: its numbers at each step that is told, and what it can do in the end."""
    pupil = Pupil(EXERCISES[EXERCISE], seed, 0.0)
    fall = max(1, steps // 2)
    share = WarmupStableCooldown(warm_up, FLOOR).fall_from(max(0, steps - fall), fall).share
    lines: dict[str, list[float]] = {"loss": [], "rate": [], "ratio": []}
    since: list[float] = []
    for step in range(1, steps + 1):
        rate = RATE * share(step - 1 - waits) if step > waits else 0.0
        since.append(pupil.learn(rate)[0])
        if step in told_at(steps):
            lines["loss"].append(round(sum(since) / len(since), 4))
            lines["rate"].append(round(rate, 6))
            lines["ratio"].append(round(pupil.usual_step(), 4))
            since = []
    last = pupil.measure(steps, steps, lines["loss"][-1], 0.0, rate)
    return {"warm_up": warm_up, "waits": waits, **lines, "whole": round(last.whole, 4)}
