"""What a run begins with: a network, what it reads through, and the runs behind its weights."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from core import zoo
from core.checkpoints import native
from core.checkpoints.encoders import TOKENIZER_FILE
from core.checkpoints.files import read_json
from core.encoders import Encoders
from core.errors import CheckpointError, ParameterError
from core.language import N_, Phrase
from core.models.registry import ARCHITECTURES
from core.seeds import checked_seed
from core.text.tokenizer import Tokenizer
from core.training.cards import RUNS, write_card
from core.training.finish import run_facts
from core.training.progress import Progress
from core.training.recipe import Recipe
from core.training.rundir import MODEL, take_weights, write_model


@dataclass(frozen=True)
class Beginning:
    """What a run begins with.

    Attributes:
        recipe: that is followed; its network is that of the shipped weights, if it goes on from
            them.
        model: ready to learn.
        encoders: what it reads its input through.
        runs: the facts of those that made its weights.
    """

    recipe: Recipe
    model: nn.Module
    encoders: Encoders
    runs: tuple[dict[str, Any], ...] = ()


def from_shelf(recipe: Recipe, shelf: Path) -> Beginning:
    """The shipped model of a recipe: its network may be of another tier.

    Raises:
        ParameterError: it is not on the shelf.
        CheckpointError: it is damaged.
    """
    shipped = _shipped(recipe.id, shelf, "from_shelf")
    recipe = replace(recipe, network=shipped.model.config)
    # Loaded weights are laid out for writing, column by column, and know no gradient.
    model = ARCHITECTURES[recipe.architecture].model(recipe.network)
    take_weights(model, shipped.model.state_dict(), shelf / recipe.id)
    return Beginning(recipe, model, shipped.encoders, tuple(shipped.metrics[RUNS]))


def anew(recipe: Recipe, corpora: Path, out: Path, shelf: Path, seed: int) -> Beginning:
    """A model of random weights, or with those of the one that its recipe begins from.

    Args:
        recipe: to follow.
        corpora: the directory of the sources, for encoders that are learned from them.
        out: of the run, where a tokenizer is kept for when it is resumed.
        shelf: where the shipped models lie.
        seed: of the weights that are drawn.

    Raises:
        ParameterError: what it begins from is not on the shelf.
        CheckpointError: that is damaged, or has no weights for this network.
    """
    generator = torch.Generator().manual_seed(checked_seed(seed))
    model = ARCHITECTURES[recipe.architecture].model(recipe.network, generator)
    if recipe.begins_from is None:
        return Beginning(recipe, model, _learned_encoders(recipe, corpora, out))
    shipped = _shipped(recipe.begins_from, shelf, "begins_from")
    take_shared(model, shipped.model.state_dict(), shelf / recipe.begins_from)
    return Beginning(recipe, model, shipped.encoders)


def _shipped(name: str, shelf: Path, asked_by: str) -> native.Checkpoint:
    if not (shelf / name / native.CONFIG_FILE).is_file():
        raise ParameterError(asked_by, name, N_("the id of a model on the shelf"))
    return native.load(shelf / name)


def take_shared(model: nn.Module, weights: Mapping[str, Tensor], where: Path) -> None:
    """Put those of some weights into a model that it has by the same name; others stay drawn.

    Raises:
        CheckpointError: they have no name in common, or one is of another shape.
    """
    ours = model.state_dict()
    shared = {name: weights[name] for name in ours.keys() & weights.keys()}
    if not shared:
        raise CheckpointError(where, N_("no tensor of it belongs to the network of this recipe"))
    take_weights(model, {**ours, **shared}, where)


def _learned_encoders(recipe: Recipe, corpora: Path, out: Path) -> Encoders:
    """Those of the task; a tokenizer is trained when the run begins, and kept for its end."""
    path = out / TOKENIZER_FILE
    learned = Tokenizer.from_file(path) if path.is_file() else None
    encoders = recipe.task.encoders(corpora, recipe.network, learned)
    if encoders.text is not None and learned is None:
        out.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.json")  # other processes may be at it too
        encoders.text.save(partial)
        partial.replace(path)
    return encoders


def read_as_shipped(name: str, shelf: Path, out: Path) -> None:
    """Let a run that is done again read through the shipped tokenizer, if there is one.

    Some kinds come out otherwise each time that they are learned: the library counts words in an
    order of its own, and where two are equally good the first stays.
    """
    tokenizer = shelf / name / TOKENIZER_FILE
    if tokenizer.is_file():
        out.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tokenizer, out / TOKENIZER_FILE)


def try_card(begun: Beginning) -> str:
    """The card of the model as it is now, with no figures: what breaks it must not break later.

    A card is written after the hours of training. Here it is written before the first step, of the
    model as it will lie on disk.
    """
    recipe, model = begun.recipe, begun.model
    progress = Progress(recipe.schedule.rates(), by_the_clock=True)
    facts = run_facts(recipe, progress, 0, earlier=len(begun.runs), from_shelf=False, made_at="")
    weights = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    with tempfile.TemporaryDirectory() as directory:
        write_model(Path(directory), recipe, weights, begun.encoders)
        stored = zoo.load(str(Path(directory) / MODEL), "cpu")
        figures = dict.fromkeys(recipe.standard.measures, 0.0)
        return write_card(recipe, stored, {**figures, RUNS: [*begun.runs, facts]})


def as_before(shelf: Path, recipe: str, number: int) -> Mapping[str, Any]:
    """The facts of a run behind a shipped model, from which it can be carried out again.

    Args:
        shelf: where the shipped models lie.
        recipe: its id.
        number: of the run, counted from 1 as on the card.

    Raises:
        ParameterError: there is no such run, or nothing but a note is known of it.
        CheckpointError: the model is not there, or damaged.
    """
    runs = read_json(shelf / recipe / native.METRICS_FILE).get(RUNS, [])
    if not 1 <= number <= len(runs):
        raise ParameterError(
            "again", number, Phrase(N_("between {low} and {high}"), low=1, high=len(runs))
        )
    facts: Mapping[str, Any] = runs[number - 1]
    if "falls" not in facts:
        raise ParameterError("again", number, N_("a run of which the card gives a command"))
    return facts
