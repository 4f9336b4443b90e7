"""Lines of attention that are cut, one after the other, and what comes of each. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.inputs import Text
from core.runs.requests import OfModel
from core.sizes import held
from core.units import Token, Unit


@dataclass(frozen=True, slots=True)
class LinesRequest(OfModel):
    """The strongest line of each head into the last token of a text, cut by itself.

    A line is the weight by which a token takes from another one. Cut, it is 0, and the others of
    its row keep their proportions. What a token gives itself, and the marks of a text, is left:
    there attention rests that has found nothing. Of a long text the strongest lines alone are cut.

    Attributes:
        given: what is read.
    """

    lasts = "a while"
    given: Text


def change(layer: int, head: int, row: int, key: int) -> str:
    """What cuts a line, as a link says it (``core.models.what_if``)."""
    return f"layer{layer}.head{head}.row{row}.key{key}.weight0"


@dataclass(frozen=True, eq=False)
class Lines:
    """What each line means to the word that was likeliest.

    Attributes:
        tokens: of the text.
        word: that was likeliest behind it.
        before: how likely.
        keys: position that each head's line comes from, ``(layers, heads)``; -1 where it has none,
            or none that was cut.
        weights: of the lines, ``(layers, heads)``; 0 where there is none.
        left: how likely the word is without each line, ``(layers, heads)``.
    """

    tokens: Sequence[Unit]
    word: Token
    before: float
    keys: NDArray[np.int32]
    weights: NDArray[np.float32]
    left: NDArray[np.float32]

    @property
    def nbytes(self) -> int:
        return held(self.keys, self.weights, self.left, list(self.tokens))

    @property
    def n(self) -> int:
        """How many lines were cut."""
        return int((self.keys >= 0).sum())

    @property
    def most(self) -> tuple[int, int]:
        """Layer and head of the line without which the word is least likely."""
        layer, head = np.unravel_index(int(self.left.argmin()), self.left.shape)
        return int(layer), int(head)
