"""Train the generator, or measure it again: ``python -m core.training digits --corpora DIR``."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors.torch import save_file

from core import zoo
from core.analysis.shares import wilson
from core.digits import models
from core.digits.index import FOLDER, WEIGHTS, DigitTrainings, Measure, write
from core.digits.network import Drawer
from core.digits.texts import TRAINED
from core.errors import ParameterError
from core.film.index import stored
from core.language import N_
from core.seeds import checked_seed
from core.studies.digits.learning import DigitTraining, Texts, examples
from core.studies.digits.measuring import JUDGES, measured
from core.studies.digits.recipe import DIGITS, DigitsRecipe
from core.training.cards import WEIGHTS_LICENCE
from core.training.finish import commit
from core.training.interrupting import interruptible
from core.training.recipes.pictures import MNIST

COMMAND = "python -m core.training digits"
ENCODER = "t5"  # of the shelf: it reads the texts, and is not trained


def add_arguments(digits: argparse.ArgumentParser) -> None:
    """What the command takes."""
    digits.add_argument("--corpora", type=Path, help="to train; not needed to measure")
    digits.add_argument("--measure", action="store_true", help="print its measures again")
    digits.add_argument("--out", type=Path, default=FOLDER, help="default: the one that ships")
    digits.add_argument("--tier", choices=sorted(DIGITS), default="cpu")
    digits.add_argument("--minutes", type=float, help="default: the recipe's")
    digits.add_argument("--steps", type=int, help="so many, whatever the clock")
    digits.add_argument("--seed", type=int, default=0)
    digits.add_argument("--threads", type=int, help="CPU threads; default: torch's own")
    digits.add_argument("--shelf", type=Path, default=zoo.SHELF)


def digits(arguments: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Train it and measure it; with ``--measure`` measure the one that is there."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    if arguments.measure:
        _measure(arguments, say)
        return 0
    if arguments.corpora is None:
        raise ParameterError("corpora", "", N_("the folder of the corpora"))
    if arguments.steps is not None and arguments.steps < 1:
        raise ParameterError("steps", arguments.steps, N_("at least 1"))
    generator = _train(DIGITS[arguments.tier], arguments, say)
    write(dataclasses.replace(generator, measures=_measure(arguments, say)), arguments.out)
    return 0


def _train(
    recipe: DigitsRecipe, arguments: argparse.Namespace, say: Callable[[str], None]
) -> DigitTrainings:
    seed, out = checked_seed(arguments.seed), arguments.out
    encoder = _loaded(arguments, ENCODER)
    texts = Texts.of(encoder)
    drawn = examples(arguments.corpora, recipe, texts.n, seed)
    learner = DigitTraining(recipe, Drawer(recipe.network, torch.Generator().manual_seed(seed)))
    out.mkdir(parents=True, exist_ok=True)
    made_at = commit()

    def kept(*, done: bool) -> DigitTrainings:
        _save(learner, out)
        generator = _make_record(learner, arguments, made_at, done=done)
        write(generator, out)
        loss = learner.curve[-1][1] if learner.curve else float("nan")
        say(f"step {learner.step}, {learner.seconds / 60:.1f} min: loss {loss:.4f} -> {out}")
        return generator

    def keep() -> None:
        kept(done=False)

    with interruptible(learner):
        minutes = recipe.minutes if arguments.minutes is None else arguments.minutes
        learner.run(drawn, texts, minutes=minutes, steps=arguments.steps, keep=keep)
    return kept(done=True)


def _save(learner: DigitTraining, out: Path) -> None:
    """Replace the weights, whole or not at all: the mean over the last steps."""
    partial = out / (WEIGHTS + ".partial")
    save_file(
        {name: tensor.bfloat16().contiguous() for name, tensor in learner.mean.items()}, partial
    )
    partial.chmod(0o644)
    partial.replace(out / WEIGHTS)


def _make_record(
    learner: DigitTraining, arguments: argparse.Namespace, made_at: str, *, done: bool
) -> DigitTrainings:
    recipe, threads = learner.recipe, torch.get_num_threads()
    words = [f"--tier {arguments.tier}"] * (arguments.tier != "cpu")
    words += [f"--seed {arguments.seed}"] * (arguments.seed != 0)
    words += [f"--threads {threads} --steps {learner.step}"]
    settings = dataclasses.asdict(recipe)
    return DigitTrainings(
        command=" ".join([COMMAND, "--corpora DIR", *words]),
        measured_by=f"{COMMAND} --measure",
        commit=made_at,
        seed=arguments.seed,
        threads=threads,
        done=done,
        minutes=round(learner.seconds / 60, 1),
        steps=learner.step,
        pictures=learner.step * recipe.rows,
        parameters=sum(parameter.numel() for parameter in learner.drawer.parameters()),
        config=settings.pop("network"),
        training={**settings, "templates": len(TRAINED)},
        encoder=ENCODER,
        encoder_mark=zoo.fingerprint(ENCODER, arguments.shelf),
        licence=WEIGHTS_LICENCE,
        sources=({"name": MNIST.name, "licence": MNIST.licence, "credit": MNIST.credit},),
        curve=tuple(learner.curve),
        measures=(),
        file=stored(arguments.out / WEIGHTS),
    )


def _measure(arguments: argparse.Namespace, say: Callable[[str], None]) -> tuple[Measure, ...]:
    """The measures of the stored weights, said with their intervals."""
    _made_so, drawer = models.load(arguments.out)
    judges = {name: _loaded(arguments, name) for name in JUDGES}
    n_texts = DIGITS[arguments.tier].asked
    measures = measured(drawer, _loaded(arguments, ENCODER), judges, n_texts, say)
    for measure in measures:
        n, asks = measure.n, f"{measure.name:18s} guidance {measure.guidance:.0f}"
        for judge, hits in measure.right.items():
            low, high = wilson(hits, n)
            say(f"{asks} {judge}: {hits / n:.1%} [{low:.1%}, {high:.1%}] of {n}")
    return measures


def _loaded(arguments: argparse.Namespace, name: str) -> zoo.LoadedModel:
    return zoo.load(name, "cpu", arguments.shelf)
