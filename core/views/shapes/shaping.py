"""Which block shape, in a fresh stack of which size, and what was measured of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot.parts import Dash
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.records import AtInit
from core.runs.requests import AtInitRequest
from core.shaped.shapes import SHAPES
from core.views.params import MAX_SEED, param
from core.views.stream.stacks import SPREADS

GROWN = 1.1  # from which factor on two sizes are worth a word
NAMES = {
    "a": N_("A, serial"),
    "b": N_("B, one sum"),
    "c": N_("C, FFN first"),
    "d": N_("D, parallel"),
    "post": N_("post-norm"),
    "qk_norm": N_("QK-norm"),
    "squared": N_("squared ReLU"),
    "dconv": N_("multi-dconv heads"),
}
# At the end of a line, where there is little room: the same in every language.
SHORT = {
    "a": "A", "b": "B", "c": "C", "d": "D", "post": "post", "qk_norm": "QK", "squared": "ReLU²",
    "dconv": "dconv",
}  # fmt: skip
# Each its own colour and dash among the others, so that eight lines can be told apart.
ROLES: Mapping[str, tuple[str, Dash]] = {
    "a": ("query", "solid"),
    "b": ("key", "solid"),
    "c": ("value", "solid"),
    "d": ("weight", "solid"),
    "post": ("key", "dash"),
    "qk_norm": ("query", "dash"),
    "squared": ("value", "dash"),
    "dconv": ("weight", "dash"),
}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """Which shape is looked at."""

    shape: str = param("a", choices=NAMES, picked=True, label=N_("Block shape"))


@dataclass(frozen=True, slots=True)
class Shaping(Shape):
    """The same, in a fresh stack.

    Attributes:
        shape_depth: layers.
        shape_width: d_model.
        shape_spread: standard deviation of the weights; n is how many inputs a matrix has.
        shape_seed: of the weights and the tokens.
    """

    shape_depth: int = param(12, low=2, high=24, label=N_("Layers"))
    shape_width: str = param("64", choices=("32", "64", "128"), label=N_("Width d_model"))
    shape_spread: str = param("fan_in", choices=SPREADS, label=N_("Spread of the fresh weights"))
    shape_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))

    def request(self, shape: str) -> AtInitRequest:
        """The same stack of one shape."""
        return AtInitRequest(
            shape, self.shape_depth, int(self.shape_width), self.shape_seed, self.shape_spread
        )


@dataclass(frozen=True, eq=False)
class Shaped:
    """Fresh stacks of several shapes, and what was asked for."""

    params: Shaping
    stacks: Mapping[str, AtInit]

    @property
    def chosen(self) -> AtInit:
        """The stack of the shape that is looked at."""
        return self.stacks[self.params.shape]

    @property
    def n(self) -> int:
        """Layers."""
        return self.params.shape_depth


def all_requests(params: Shaping) -> tuple[AtInitRequest, ...]:
    """All shapes; which one is looked at changes none of them."""
    return tuple(map(params.request, SHAPES))


def all_shaped(runs: Sequence[AtInit], params: Shaping) -> Shaped:
    """What was measured, by shape."""
    return Shaped(params, dict(zip(SHAPES, runs, strict=True)))


def values_of(chosen: str, drawn: Mapping[str, Floats], places: Sequence[int]) -> dict[str, Values]:
    """What is drawn: the chosen shape by itself, at the last layer, then every shape."""
    along = Along("layer", _("after layer"), [_place(at) for at in places])
    own = {
        "chosen": Values(_("chosen shape"), drawn[chosen], (along,), selected=(len(places) - 1,))
    }
    return own | {name: Values(_(NAMES[name]), line, (along,)) for name, line in drawn.items()}


def _place(at: int) -> str:
    """What a place is called: 0 stands before the first layer."""
    return _("start") if at == 0 else str(at - 1)
