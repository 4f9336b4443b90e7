"""What comes back of a text that the generator draws pictures for. No torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.sizes import held
from core.units import Token


@dataclass(frozen=True, eq=False)
class Pictured:
    """Pictures from noise to the last step. F frames, N pictures, S tokens, P places.

    Attributes:
        tokens: of the text, its end mark last.
        cut: what did not fit.
        states: of the text encoder ``(S, D)``.
        frames: pixels ``(F, N, 28, 28)``.
        weights: by the name of the reading (``core.digits.network.READINGS``): the mean of its
            heads' attention in each step, ``(F - 1, N, S, P)``; the tokens' add up to 1.
        shares: what the classifier says of each frame, ``(F, N, 10)``.
    """

    tokens: tuple[Token, ...]
    cut: str
    states: NDArray[np.float32]
    frames: NDArray[np.uint8]
    weights: Mapping[str, NDArray[np.float16]]
    shares: NDArray[np.float32]

    @property
    def nbytes(self) -> int:
        return held(self.tokens, self.cut, self.states, self.frames, self.weights, self.shares)
