"""Which block shape, in a fresh stack of which size, and what was measured of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.records import AtInit
from core.models.block_shapes import PLACEMENTS, SHAPES
from core.runs.requests import AtInitRequest
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


def neighbours(shape: str) -> tuple[str, ...]:
    """A to D, and the shape itself if it is none of them."""
    return PLACEMENTS if shape in PLACEMENTS else (*PLACEMENTS, shape)


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


def curves(record: Shaped, drawn: Mapping[str, Floats], first: int) -> Iterator[Curve]:
    """A line for each shape, the chosen one last and thick."""
    chosen = record.params.shape
    for name in sorted(drawn, key=lambda name: name == chosen):
        role, dash = ROLES[name]
        mine = name == chosen
        yield Curve(
            x=np.arange(first, first + len(drawn[name])) - 1,
            y=drawn[name],
            name=_(NAMES[name]),
            role="accent" if mine else role,
            dash="solid" if mine else dash,
            width=4 if mine else 1.4,
            markers=6 if mine else 0,
            hover="{name}: {y:.4g}",
        )


def plot_of(
    record: Shaped, drawn: Mapping[str, Floats], first: int, *, title: str, alt: str, y: str
) -> Plot:
    """A line for each shape over the layers."""
    return Plot(
        title=title,
        alt=alt,
        x=PlotAxis(
            title=_("after layer (−1: before the first)"), range=(first - 1.3, record.n - 0.7)
        ),
        y=PlotAxis(title=y, log=True, range=_wide_enough(drawn)),
        series=list(curves(record, drawn, first)),
        height=460,
    )


def _wide_enough(drawn: Mapping[str, Floats]) -> tuple[float, float] | None:
    """A range for lines that lie so near each other that the axis would make much of nothing."""
    low = min(float(line.min()) for line in drawn.values())
    high = max(float(line.max()) for line in drawn.values())
    middle = float(np.sqrt(low * high))
    return (middle / 2, middle * 2) if low > 0 and high < 2 * low else None
