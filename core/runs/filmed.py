"""What comes back of a text that every frame of the film reads. No torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.sizes import held
from core.units import Token

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Pictured:
    """Rows of the token table in one plane, which is the same for every frame.

    The plane is spanned by the two directions in which the rows of the last frame differ most.

    Attributes:
        words: the common words, each a token.
        groups: of each of them, by its place in ``core.film.words.GROUPS``.
        places: ``(F, W, 2)`` of their rows.
        own: words of the text that are none of them.
        own_places: ``(F, O, 2)`` of their rows.
        near: ``(F,)`` share of the common words whose nearest other one is of their group.
        left: ``(F,)`` share of how their rows differ that is in the plane.
    """

    words: tuple[str, ...]
    groups: tuple[int, ...]
    places: Floats
    own: tuple[str, ...]
    own_places: Floats
    near: Floats
    left: Floats


@dataclass(frozen=True, eq=False)
class Filmed:
    """One text through every frame. F frames, L layers, H heads, T tokens, K guesses.

    Attributes:
        tokens: of the text, the model's mark first.
        cut: what did not fit.
        weights: attention ``(F, L, H, T, T)``.
        losses: ``(F,)`` mean over the text's tokens, in nats; NaN of a text without any.
        guesses: of each frame the likeliest next tokens, the likeliest first.
        probs: ``(F, K)`` of them.
        written: of each frame what it wrote behind the text, drawn with one seed.
        pictured: the token table in a plane.
    """

    tokens: tuple[Token, ...]
    cut: str
    weights: NDArray[np.float32]
    losses: Floats
    guesses: tuple[tuple[Token, ...], ...]
    probs: Floats
    written: tuple[tuple[Token, ...], ...]
    pictured: Pictured

    @property
    def nbytes(self) -> int:
        return held(self.tokens, self.cut, self.weights, self.losses, self.guesses, self.probs,
                    self.written, self.pictured)  # fmt: skip
