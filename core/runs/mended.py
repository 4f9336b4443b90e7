"""What comes back of a damaged text that a model mends. No torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.sizes import held
from core.units import Token


@dataclass(frozen=True, eq=False)
class Target:
    """A target, and what the model says of each of its tokens after all those before it.

    Attributes:
        tokens: its ``n`` tokens, the end mark last if it has ended.
        probs: ``(n,)``, their probabilities.
        best: what the model finds likeliest at each place.
        best_probs: ``(n,)``, the probabilities of that.
    """

    tokens: tuple[Token, ...]
    probs: NDArray[np.float64]
    best: tuple[Token, ...]
    best_probs: NDArray[np.float64]

    @property
    def ids(self) -> tuple[int, ...]:
        """Of its tokens."""
        return tuple(token.id for token in self.tokens)

    @property
    def found(self) -> NDArray[np.bool_]:
        """``(n,)``: no other token is likelier there."""
        return np.array(self.ids) == np.array([token.id for token in self.best])


@dataclass(frozen=True, eq=False)
class Mended:
    """A text that was damaged, and how the model mends it.

    Attributes:
        text, cut: what was damaged, and what did not fit the context.
        tokens: of the text, without the model's marks.
        shown: what the encoder reads, its end mark last.
        origin: ``(S,)``, where each of ``shown`` stood in the text; -1 for a mark.
        hidden: ``(T,)``, for each token of the text whether ``shown`` lacks it.
        spans: first and last place, not included, of each span that was cut out; none where
            damage does not cut out spans.
        marks: what may stand for what is hidden: one for all, or one after the other.
        wanted: what is to be written.
        written: what the model writes by itself, greedily.
        seconds: what it took to write.
        site: of the scores that it was written from.
    """

    text: str
    cut: str
    tokens: tuple[Token, ...]
    shown: tuple[Token, ...]
    origin: NDArray[np.int64]
    hidden: NDArray[np.bool_]
    spans: tuple[tuple[int, int], ...]
    marks: tuple[int, ...]
    wanted: Target
    written: Target
    seconds: float
    site: str

    @property
    def nbytes(self) -> int:
        arrays = (self.origin, self.hidden)
        texts = (self.text, self.cut, self.tokens, self.shown, self.spans, self.marks)
        return held(*texts, *arrays, self.wanted, self.written)
