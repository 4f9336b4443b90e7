"""The shelf: the models that ship, and any other you can name."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, cast

import torch

from core.checkpoints import hugging_face, native
from core.checkpoints.weights import AsNumpy
from core.device import resolve_device
from core.encoders import Encoders
from core.errors import AbilityError, CoreError, UnknownModelError
from core.inputs import Input, Text, each_of
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import Attention, Blueprint
from core.models.calls import Called
from core.models.prepared import Prepared
from core.reading import Fitted, Room, example, fitted
from core.text.tokenizer import Tokenizer
from core.tracing.sites import Catalogue, catalogue_of
from core.units import Token

SHELF = Path(__file__).resolve().parent.parent / "assets" / "zoo"


@dataclass(frozen=True, eq=False, repr=False)
class LoadedModel(Called):
    """A model ready to use, with its encoders and its card. Safe to share between threads.

    Attributes:
        id: its name on the shelf, or where it was loaded from.
        architecture: its name in the registry.
        model: the network, in evaluation mode.
        encoders: what it reads its input through.
        card: what is known about it, Markdown.
        metrics: measured figures.
        device: where it runs.
    """

    id: str
    architecture: str
    model: Any  # a Model; what it can be called with is said by ``as_writer`` and its like
    encoders: Encoders
    card: str
    metrics: Mapping[str, Any]
    device: torch.device

    def __repr__(self) -> str:
        """A line: what it is, and what it can do."""
        can = ", ".join(sorted(self.abilities))
        kind = type(self.model).__name__
        return f"LoadedModel({self.id!r}, {kind}, {self.n_parameters} parameters: {can})"

    @property
    def config(self) -> Any:
        """The model's sizes."""
        return self.model.config

    @property
    def abilities(self) -> frozenset[Ability]:
        """What it can do."""
        return self.model.abilities

    @property
    def prefixes(self) -> Mapping[Ability, str]:
        """What names each task before a text, in a model of many tasks."""
        return getattr(self.model, "prefixes", {})

    @cached_property
    def blueprint(self) -> Blueprint:
        """Its parts, in the order of computation."""
        return self.model.blueprint

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Those of D, H, Dh, F and V, the letters of its shapes, that it has."""
        wide = [cut.d_model for cut in self.blueprint.patches if cut.d_model is not None]
        sizes: dict[str, int] = {"D": wide[-1]} if wide else {}
        for start in self.blueprint.embeddings:
            sizes["V"], sizes["D"] = self.weights[start.table].shape
            if start.d_model is not None:  # the table's rows are those of characters
                sizes["V"], sizes["D"] = self.tokenizer.vocab_size, start.d_model
        for stack in self.blueprint.stacks:
            sizes |= {"D": stack.d_model, "H": stack.n_heads, "Dh": stack.d_head,
                      "F": stack.d_ff}  # fmt: skip
        return sizes

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every value that a run of it shows."""
        return catalogue_of(self.model)

    def check_takes(self, given: Input) -> None:
        """See that it takes an input of this kind.

        Raises:
            AbilityError: it does not.
            ParameterError: what is no input.
        """
        for part in each_of(given):
            if type(part) not in self.model.takes:
                raise AbilityError(self.id, part.READING)

    def prepare(self, given: Input) -> Prepared:
        """What a run on an input computes with.

        Raises:
            AbilityError: it does not take an input of this kind.
            EmptyInputError, NoRoomError, InputTooLongError, ParameterError: the input itself is
                not right.
        """
        self.check_takes(given)
        return self.model.prepare(given, self.encoders)

    def attention(self, name: str = "") -> Attention:
        """A kind of attention in it by its name; without one that of its main stream.

        Raises:
            AbilityError: nothing in it attends to anything.
            ParameterError: there is none of that name.
        """
        if not self.blueprint.attentions:
            raise AbilityError(self.id, N_("attend to anything, so no mask fits it"))
        return self.blueprint.attention(name)

    @property
    def dtype(self) -> torch.dtype:
        """The precision it computes in."""
        return next(self.model.parameters()).dtype

    @property
    def weights(self) -> AsNumpy:
        """Its parameters as they are now, as numpy, under their names on disk."""
        arrays: AsNumpy | None = self.__dict__.get("_weights")
        if arrays is None or arrays.changed:
            arrays = self.__dict__["_weights"] = AsNumpy(self.model)
        return arrays

    @cached_property
    def n_parameters(self) -> int:
        """How many numbers it learned."""
        return sum(p.numel() for p in self.model.parameters())

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return sum(p.nbytes for p in self.model.parameters())

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides what it computes, the same wherever it is loaded."""
        return native.mark(self.architecture, self.config, self.encoders, self.weights.fingerprint)

    @property
    def tokenizer(self) -> Tokenizer:
        """From text to ids.

        Raises:
            AbilityError: it reads no text, or reads it character by character.
        """
        if self.encoders.by_character is not None:
            raise AbilityError(self.id, N_("cut a text into tokens"))
        if self.encoders.text is None:
            raise AbilityError(self.id, Text.READING)
        return self.encoders.text

    def fitted(self, given: Input) -> Fitted:
        """An input cut to the context, and what became of each row's texts.

        Raises:
            AbilityError: it does not take an input of this kind.
            NoRoomError: not even its own marks fit.
        """
        self.check_takes(given)
        return fitted(given, Room(self.encoders, getattr(self.config, "n_ctx", 0)))

    @property
    def example(self) -> Input:
        """Something that it reads, to try it with."""
        return example(self.model.takes, self.encoders)

    def fit(self, text: str) -> tuple[str, str]:
        """Split a text into what the context holds and what has to be cut off; errors as above."""
        (row,) = self.fitted(Text(text)).rows
        return row.texts[0], row.cut

    def encode(self, text: str) -> list[int]:
        """Ids of a text, with the marks that the model expects around it."""
        return [token.id for token in self.tokens(text)]

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text and where they come from; ``[MASK]`` hides a word, where it can."""
        return self.tokenizer.tokens(text, masks=True)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids, the model's marks left out."""
        return self.tokenizer.decode(ids)


def shelf(root: Path = SHELF) -> tuple[str, ...]:
    """The ids of the models that ship, in the order of their names."""
    return native.directories(root)


def _on_shelf(name: str, root: Path) -> Path:
    """The directory of a shelf model; UnknownModelError where it is not on the shelf."""
    if name not in shelf(root):
        raise UnknownModelError(name, shelf(root))
    return root / name


def describe(name: str, root: Path = SHELF) -> dict[str, Any]:
    """A shelf model's architecture, sizes and file size, without loading it.

    Raises:
        UnknownModelError: it is not on the shelf.
        CheckpointError, ConfigError: its config is damaged.
    """
    directory = _on_shelf(name, root)
    architecture, config = native.read_config(directory / native.CONFIG_FILE)
    weights = directory / native.WEIGHTS_FILE
    return {
        "architecture": architecture,
        "bytes": weights.stat().st_size if weights.is_file() else 0,
        **dataclasses.asdict(config),
    }


def card(name: str, root: Path = SHELF) -> str:
    """The card of a shelf model, without loading it; errors as ``describe``, of the card."""
    return native.read_card(_on_shelf(name, root))


def abilities(name: str, root: Path = SHELF) -> frozenset[Ability]:
    """What a shelf model can do, without loading its weights; errors as ``describe``."""
    return frozenset(outline(name, root).abilities)


def blueprint(name: str, root: Path = SHELF) -> Blueprint:
    """What a shelf model is made of, without loading its weights; errors as ``describe``."""
    return _blueprint(name, root)


def fingerprint(name: str, root: Path = SHELF) -> str:
    """That of a shelf model, read off its files; its weights are not kept; errors as ``load``."""
    return native.fingerprint(_on_shelf(name, root))


def outline(name: str, root: Path = SHELF) -> Any:
    """A shelf model without memory for its weights; errors as ``describe``."""
    return _outline(name, root)


@lru_cache(maxsize=64)  # each draw of a page asks some hundreds of times
def _blueprint(name: str, root: Path) -> Blueprint:
    return cast("Blueprint", _outline(name, root).blueprint)


@lru_cache(maxsize=64)
def _outline(name: str, root: Path) -> Any:
    return native.outline(_on_shelf(name, root))[1]


def load(name: str, device: str = "auto", root: Path = SHELF) -> LoadedModel:
    """Load a model.

    Args:
        name: an id of the shelf, a directory (our layout or that of a Hugging
            Face checkpoint), or "hf:NAME" for one of the Hub, for example "hf:gpt2".
        device: "auto" picks CUDA, then MPS, then CPU.

    Raises:
        UnknownModelError: no such model.
        CheckpointError, ConfigError: the model's files are damaged or not supported.
        DeviceUnavailableError: this machine has no such device.
    """
    chosen = resolve_device(device)
    if name.startswith(hugging_face.HUB_PREFIX):
        there = name.removeprefix(hugging_face.HUB_PREFIX)
        checkpoint = hugging_face.load(hugging_face.fetch(there))
    elif name not in shelf(root) and os.path.isdir(name):  # False for what cannot be a path, too
        directory = Path(name)
        reader = hugging_face if hugging_face.is_checkpoint(directory) else native
        checkpoint = reader.load(directory)
    else:
        checkpoint = native.load(_on_shelf(name, root))
    return LoadedModel(
        id=name,
        architecture=checkpoint.architecture,
        model=checkpoint.model.to(chosen),
        encoders=checkpoint.encoders,
        card=checkpoint.card,
        metrics=checkpoint.metrics,
        device=chosen,
    )


__all__ = ["SHELF", "CoreError", "LoadedModel", "describe", "fingerprint", "load", "shelf"]
