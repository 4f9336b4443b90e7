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

    A line is the weight by which a token takes from another one; from a swapped word, that from
    all of its tokens. Cut, it is 0, and the others of its row keep their proportions. What a token
    gives itself, and the marks of a text, is left: there attention rests that has found nothing.
    Of a long text the strongest lines alone are cut.

    Attributes:
        given: what is read.
        off: what is changed in the run besides (``core.models.what_if``), a line that is cut
            already among it.
        first: what was given before words of it were swapped, as of ``OnwardRequest``.
    """

    lasts = "a while"
    given: Text
    off: tuple[str, ...] = ()
    first: Text | None = None


def change(layer: int, head: int, row: int, key: int) -> str:
    """What cuts a line, as a link says it (``core.models.what_if``)."""
    return f"layer{layer}.head{head}.row{row}.key{key}.weight0"


@dataclass(frozen=True, eq=False)
class Lines:
    """What each line means to the word that was likeliest.

    Attributes:
        tokens: of the text.
        places: by the number of a token, as ``OnwardRequest.off`` counts, all that stands there
            now.
        row: number of the last token.
        word: that was likeliest behind it.
        before: how likely.
        keys: number of the token that each head's line comes from, ``(layers, heads)``; -1 where
            it has none, or none that was cut.
        weights: of the lines, ``(layers, heads)``; 0 where there is none.
        left: how likely the word is without each line, ``(layers, heads)``.
        kept: how much of its probability it keeps then, at temperature 1, ``(layers, heads)``.
        most: layer and head of the line without which it is least likely, at temperature 1.
        at: position that most of that line comes from.
        then: the word that is likeliest without that line.
        is_cut: that line is cut already; ``before`` and ``weights`` are those with it.
    """

    tokens: Sequence[Unit]
    places: Sequence[Sequence[int]]
    row: int
    word: Token
    before: float
    keys: NDArray[np.int32]
    weights: NDArray[np.float32]
    left: NDArray[np.float32]
    kept: NDArray[np.float32]
    most: tuple[int, int]
    at: int
    then: Token
    is_cut: bool

    @property
    def nbytes(self) -> int:
        return held(self.keys, self.weights, self.left, self.kept, list(self.tokens))

    @property
    def n(self) -> int:
        """How many lines were cut."""
        return int((self.keys >= 0).sum())

    @property
    def key(self) -> int:
        """Number of the token that the line comes from which matters most."""
        return int(self.keys[self.most])

    @property
    def least(self) -> float:
        """How likely the word is without that line."""
        return float(self.left[self.most])

    @property
    def name(self) -> str:
        """What cuts that line."""
        return change(*self.most, self.row, self.key)
