"""What the small trainings and measurements that a page runs live give: numpy, no torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.sizes import held


@dataclass(frozen=True, slots=True)
class Kept:
    """Which parts of the blocks are kept.

    Attributes:
        residual: each sub-layer's output is added to its input; else it replaces it.
        norms: the blocks' norms are applied; else left out.
    """

    residual: bool
    norms: bool


KEPT = (Kept(True, True), Kept(True, False), Kept(False, True), Kept(False, False))


@dataclass(frozen=True, eq=False)
class Flow:
    """One stack. Arrays run over the inputs of block 0, 1, ... and the output of the last.

    Attributes:
        gradient: norm of d loss / d x over all positions and components, ``(N + 1,)``.
        size: mean length of the positions' vectors, ``(N + 1,)``.
        alike: mean cosine between the vectors of different positions, ``(N + 1,)``.
        loss: nats a token.
    """

    gradient: NDArray[np.float64]
    size: NDArray[np.float64]
    alike: NDArray[np.float64]
    loss: float


@dataclass(frozen=True, eq=False)
class GradientFlow:
    """The four stacks on one text.

    Attributes:
        flows: one a member of ``KEPT``.
        n_tokens: of the text that were used.
        depth: blocks.
        fresh: they are freshly initialised, not the model's own.
        spread: of the fresh blocks' weights, as it was asked for.
    """

    flows: tuple[Flow, ...]
    n_tokens: int
    depth: int
    fresh: bool
    spread: str = "fixed"

    @property
    def nbytes(self) -> int:
        return held(self.flows)


@dataclass(frozen=True, eq=False)
class LossCurve:
    """How one model learned. Bits a symbol at each of ``LookAhead.steps``.

    Attributes:
        seen: its loss in training, where the answer stands in the text.
        unseen: its loss when the text ends before the answer, on texts it was not trained on.
    """

    seen: NDArray[np.float64]
    unseen: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LookAhead:
    """The two models.

    Attributes:
        steps: of training at which they were asked.
        causal, unmasked: what they had learned by then.
        floor: bits that no honest prediction can go below.
        n_parameters: of each model.
    """

    steps: NDArray[np.int64]
    causal: LossCurve
    unmasked: LossCurve
    floor: float
    n_parameters: int

    @property
    def nbytes(self) -> int:
        return held(self.steps, self.causal, self.unmasked)
