"""Two small translators, one with smoothed targets: how sure they are, and how often right."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from core.data.measured import CALIBRATION, FOLDER
from core.errors import ParameterError
from core.language import N_
from core.seeds import checked_seed
from core.studies.curves.record import learning
from core.studies.curves.translator import Sentences, TranslatorPupil, read_sentences
from core.studies.curves.variants import VARIANTS, Budget, SmallTranslatorVariant
from core.training.finish import commit

COMPARED = ("translator", "smoothed")
BUDGET = Budget(steps=1500, rows=64, rate=2e-3, warmup=100, every=125)
FEW = 100  # batches that are read again and again, so that a model can become too sure of them
HELD = 512  # pairs that are asked about
BINS = 10  # of how sure a guess is
COMMAND = "python -m core.training calibration --corpora DIR"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said behind the command."""
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FOLDER / f"{CALIBRATION}.json")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=BUDGET.steps)
    parser.add_argument("--cache", type=Path, default=Path(".cache/tokens"))
    parser.add_argument("--threads", type=int, help="CPU threads; default: torch's own")


def command(arguments: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Train both, and write how sure and how right they are."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    if arguments.steps < 1:
        raise ParameterError("steps", arguments.steps, N_("at least 1"))
    budget = dataclasses.replace(BUDGET, steps=arguments.steps)
    record_calibration(
        arguments.corpora,
        arguments.out,
        cache_at=arguments.cache,
        seed=arguments.seed,
        budget=budget,
        say=say,
    )
    return 0


def record_calibration(
    corpora: Path,
    out: Path,
    *,
    cache_at: Path,
    seed: int = 0,
    budget: Budget = BUDGET,
    say: Callable[[str], None] = print,
) -> None:
    """Train both and write what became of them.

    Args:
        corpora: where the pairs lie.
        out: the file.
        cache_at: where tokens are kept between runs.
        seed: of weights and order.
        budget: of each.
        say: is told of each model.

    Raises:
        ParameterError: the seed is none.
        CorpusError: a file is missing or damaged.
    """
    seed = checked_seed(seed)
    sentences = read_sentences(corpora, cache_at, seed, budget, HELD)
    record: dict[str, Any] = {
        "command": COMMAND + (f" --seed {seed}" if seed else ""),
        "commit": commit(),
        "seed": seed,
        "pairs": FEW * budget.rows,
        "held_pairs": len(sentences.held.source),
        "budget": dataclasses.asdict(budget),
        "models": {},
    }
    for name in COMPARED:
        record["models"][name] = curve = _followed(name, sentences, seed, budget)
        say(f"{name}: perplexity {curve['perplexity'][-1]}, {curve['right'][-1]:.1%} right")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")


def _followed(name: str, sentences: Sentences, seed: int, budget: Budget) -> dict[str, Any]:
    """One training, asked now and then."""
    variant = VARIANTS[name]
    assert isinstance(variant, SmallTranslatorVariant)
    pupil = TranslatorPupil(variant, sentences, seed, budget, few=FEW)
    lines: dict[str, list[Any]] = {}
    for step, train in learning(pupil, budget):
        sure, right, loss = pupil.guesses()
        place = (sure * BINS).long().clamp(max=BINS - 1)
        counts = torch.bincount(place, minlength=BINS)
        curve = {
            "steps": step,
            "train": round(train, 4),
            "perplexity": round(math.exp(loss), 4),
            "right": round(right.float().mean().item(), 4),
            "sure": round(sure.mean().item(), 4),
            "counts": counts.tolist(),
            "sure_in_bin": _means(sure, place),
            "right_in_bin": _means(right.float(), place),
        }
        for field, value in curve.items():
            lines.setdefault(field, []).append(value)
    return lines


def _means(values: torch.Tensor, place: torch.Tensor) -> list[float | None]:
    """The mean in each bin; None of an empty one."""
    inside = (values[place == n] for n in range(BINS))
    return [round(values.mean().item(), 4) if len(values) else None for values in inside]
