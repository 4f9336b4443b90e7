"""Train small models one after the other and write a file for each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import torch

from core.data.recorded import Recorded, write
from core.errors import ParameterError
from core.language import N_, Phrase
from core.locale import Choice
from core.seeds import checked_seed
from core.studies.curves.gpt import GPTPupil, read_stories
from core.studies.curves.translator import TranslatorPupil, read_sentences
from core.studies.curves.variants import VARIANTS, Budget, SmallGPTVariant
from core.training.finish import commit

WEIGHT_DECAY, BETAS, CLIP = 0.01, (0.9, 0.98), 1.0
Pupil = GPTPupil | TranslatorPupil


def record(
    names: Sequence[str],
    directory: Path,
    out: Path,
    *,
    cache_at: Path,
    seed: int = 0,
    steps: int | None = None,
    report: Callable[[str], None] = print,
) -> None:
    """Train variants and write their curves.

    Args:
        names: of ``VARIANTS``; all when empty.
        directory: of the corpora.
        out: where the files go, one a variant.
        cache_at: where tokens are kept between runs.
        seed: of weights and order.
        steps: in place of the budget's.
        report: gets a line for each curve.

    Raises:
        ParameterError: an unknown name, a seed that is none, or fewer steps than 1.
        CorpusError: a file is missing or damaged.
    """
    seed = checked_seed(seed)
    budget = Budget() if steps is None else dataclasses.replace(Budget(), steps=steps)
    if budget.steps < 1:
        raise ParameterError("steps", budget.steps, N_("at least 1"))
    for name in names:
        if name not in VARIANTS:
            choices = Choice(VARIANTS)
            raise ParameterError("variant", name, Phrase(N_("one of {choices}"), choices=choices))
    stories = cache(lambda: read_stories(directory))
    sentences = cache(lambda: read_sentences(directory, cache_at, seed, budget))
    made_at = commit()
    for name in names or VARIANTS:
        variant = VARIANTS[name]
        pupil: Pupil
        if isinstance(variant, SmallGPTVariant):
            pupil = GPTPupil(variant, stories(), seed, budget)
        else:
            pupil = TranslatorPupil(variant, sentences(), seed, budget)
        curve = _trained(name, pupil, budget, seed, made_at)
        report(f"{name}: {curve.held[-1]:.3f} nats, {curve.right[-1]:.1%} right -> "
               f"{write(curve, out)}")  # fmt: skip


def learning(pupil: Pupil, budget: Budget) -> Iterator[tuple[int, float]]:
    """Train a pupil, and stop now and then, so that it can be asked.

    Args:
        pupil: what learns.
        budget: how long, and how often it is stopped.

    Yields:
        The step, from before the first to after the last, and the mean loss since the time before.
    """
    weights = [parameter for parameter in pupil.model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(weights, budget.rate, BETAS, weight_decay=WEIGHT_DECAY)
    since: list[float] = []
    for step in range(budget.steps + 1):
        loss = pupil.loss()
        since.append(loss.item())
        if step % budget.every == 0 or step == budget.steps:
            yield step, sum(since) / len(since)
            since = []
        if step < budget.steps:
            for group in optimiser.param_groups:
                group["lr"] = budget.rate * min(1.0, (step + 1) / budget.warmup)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, CLIP)
            optimiser.step()


def _trained(name: str, pupil: Pupil, budget: Budget, seed: int, made_at: str) -> Recorded:
    """A curve of a pupil, from before its first step to after its last."""
    answers: list[dict[str, float]] = []
    at_steps: list[int] = []
    train: list[float] = []
    for step, loss in learning(pupil, budget):
        at_steps.append(step)
        train.append(loss)
        answers.append(pupil.measure())
    lines = {field: tuple(round(answer[field], 5) for answer in answers) for field in answers[0]}
    learned = [weight for weight in pupil.model.parameters() if weight.requires_grad]
    return Recorded(
        name=name,
        command=_command(name, budget, seed),
        commit=made_at,
        seed=seed,
        parameters=sum(weight.numel() for weight in learned),
        config={
            "variant": dataclasses.asdict(VARIANTS[name]),
            "budget": dataclasses.asdict(budget),
        },
        steps=tuple(at_steps),
        train=tuple(round(loss, 5) for loss in train),
        held=lines.pop("held"),
        right=lines.pop("right"),
        more=lines,
    )  # fmt: skip


def _command(name: str, budget: Budget, seed: int) -> str:
    """What is typed to make a curve again."""
    more = "" if budget.steps == Budget().steps else f" --steps {budget.steps}"
    more += f" --seed {seed}" if seed else ""
    return f"python -m core.training curves {name} --corpora DIR{more}"
