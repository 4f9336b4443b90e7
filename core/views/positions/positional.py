"""What the views of order are asked for, and the axes that their numbers share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.values import Along
from core.language import N_, _
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, model_param, param

Floats = NDArray[np.floating]
SPAN = 640  # positions that the ways of telling order apart are compared over: past GPT's 512
WAYS = {
    "learned": N_("Learned"),
    "sinusoidal": N_("Sinusoidal"),
    "rotary": N_("Rotary"),
    "relative": N_("T5's relative bias"),
}


@dataclass(frozen=True, slots=True)
class Wide:
    """Vectors of positions that a formula gives.

    Attributes:
        d_model: components; an odd number counts as the even one below it.
    """

    d_model: int = param(512, low=2, high=1024, label=N_("d_model"))

    @property
    def width(self) -> int:
        return self.d_model // 2 * 2


@dataclass(frozen=True, slots=True)
class Sinusoidal(Wide):
    """A sinusoidal table, and a pair of its components.

    Attributes:
        positions: rows of the table.
        pair: which sine and cosine are drawn, counted from 0.
        apart: draw all sines, then all cosines, in place of turn and turn about.
    """

    positions: int = param(50, low=2, high=SPAN, label=N_("Positions"))
    pair: int = param(16, low=0, high=511, label=N_("Pair i"))
    apart: bool = param(False, label=N_("Sines and cosines apart"))

    @property
    def shown_pair(self) -> int:
        return nearest("pair", self.pair, self.width // 2 - 1)


@dataclass(frozen=True, slots=True)
class Encoded(Wide):
    """A way of telling positions apart, beside what a model has learned.

    Attributes:
        model: id on the shelf.
        kind: the way.
    """

    model: str = model_param(OnText().model)
    kind: str = param("learned", choices=WAYS, label=N_("Way of encoding positions"))


@dataclass(frozen=True, slots=True)
class Shuffling(OnText):
    """A text, and another order of its tokens.

    Attributes:
        shuffle_seed: of the shuffle.
    """

    shuffle_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Shuffle number"))


def along_positions(n: int) -> Along:
    """Positions 0 to n - 1."""
    return Along("position", _("position"), [str(at) for at in range(n)])


def along_components(ids: Iterable[int]) -> Along:
    """Components of a vector, by their numbers."""
    return Along("component", _("component"), [_("component {i}").format(i=i) for i in ids])


def along_distances(n: int) -> Along:
    """Distances 0 to n - 1."""
    return Along("distance", _("distance"), [str(distance) for distance in range(n)])
