"""What an optimiser and a loss do to single numbers, told as numbers. Numpy, no torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AdamRun:
    """One weight that Adam moves. All arrays have an entry for each step, ``(n,)``.

    Attributes:
        gradients: what it was given.
        mean: m, the running average of the gradients.
        square: v, the running average of their squares.
        weight: the weight after each step; it begins at 0.
    """

    gradients: Floats
    mean: Floats
    square: Floats
    weight: Floats


@dataclass(frozen=True, eq=False)
class SmoothedLoss:
    """A prediction over V words and its loss with a smoothed target.

    Attributes:
        probs: the prediction, ``(V,)``.
        target: what it is compared with, ``(V,)``.
        gradient: of the loss with respect to each logit, ``(V,)``.
        loss: in nats.
        leads: logits of the right word that were tried besides, ``(n,)``.
        sure: the probability that the right word has with each, ``(n,)``.
        losses: the loss with each, ``(n,)``.
        plain: the loss with each and a target that is not smoothed, ``(n,)``.
    """

    probs: Floats
    target: Floats
    gradient: Floats
    loss: float
    leads: Floats
    sure: Floats
    losses: Floats
    plain: Floats
