"""The stream of a stack, wherever it changes: one token's way through the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.stream import Place
from core.language import N_, _
from core.models.blueprint import Stack
from core.runs.results import Run
from core.units import Unit
from core.views.params import OnStack, model_param, param

PART_NAMES = {
    "embeddings": N_("embeddings"),
    "attention": N_("+ attention"),
    "cross": N_("+ cross-attention"),
    "ffn": N_("+ feed-forward"),
    "norm": N_("norm"),
}


@dataclass(frozen=True, slots=True)
class StreamAt(OnStack):
    """One token's way through a stack.

    Attributes:
        token: counted from 0; -1 for the last word.
        counts: the model whose tokens are counted, where two are compared on one word; empty for
            this one. Each cuts the text in its own way.
    """

    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    counts: str = model_param("", N_("Tokens of"))


@dataclass(frozen=True, eq=False)
class Stream:
    """The stream of a stack, wherever it changes.

    Attributes:
        run: of the model.
        stack: of it.
        places: in the order of computation.
        token: the one that is looked at.
    """

    run: Run
    stack: Stack
    places: list[Place]
    token: int

    @property
    def cut(self) -> str:
        """What of the text did not fit."""
        return self.run.cut

    @property
    def post(self) -> bool:
        """Each sum goes through a norm."""
        return self.stack.arrangement == "post"

    @property
    def tokens(self) -> tuple[Unit, ...]:
        return self.run.trace.streams[self.stack.stream].units

    @property
    def name(self) -> str:
        """The token inside a sentence."""
        return self.tokens[self.token].spoken

    @property
    def labels(self) -> list[str]:
        """The places' names, each one once: equal names would be one place on an axis."""
        names = [
            _(PART_NAMES[p.part]) if p.layer < 0 else f"{p.layer} {_(PART_NAMES[p.part])}"
            for p in self.places
        ]
        return [
            f"{name} {names[: i + 1].count(name)}" if names.count(name) > 1 else name
            for i, name in enumerate(names)
        ]

    @property
    def sizes(self) -> NDArray[np.float32]:
        """Of every token at every place, ``(places, T)``."""
        return np.stack([place.size for place in self.places])

    @property
    def updates(self) -> NDArray[np.float32]:
        """What was added there, ``(places, T)``; NaN where nothing was."""
        none = np.full(len(self.tokens), np.nan, np.float32)
        return np.stack([none if p.update is None else p.update for p in self.places])
