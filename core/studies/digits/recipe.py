"""What the generator of digits is made of, and how it learns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.digits.network import DrawerConfig
from core.training.recipe import Tier


@dataclass(frozen=True, slots=True)
class DigitsRecipe:
    """A network and its training.

    Attributes:
        network: its sizes.
        minutes: of training, unless a number of steps is given.
        rows: pictures of a step.
        rate: of learning, the largest.
        warmup: steps of its rise.
        slows: after so many steps the rate is by the root of 2 smaller, and falls on like that.
        without: share of the pictures that come with the empty text (Ho & Salimans 2022).
        averaged: how much of the mean of the weights is kept from step to step; the mean is what
            is stored, so that a run may end at any time.
        clip: of the gradients' norm.
        every: steps of a point of the curve.
        asked: pictures of a measure, per kind of text.
    """

    network: DrawerConfig
    minutes: float
    rows: int
    rate: float = 2e-3
    warmup: int = 100
    slows: int = 800
    without: float = 0.1
    averaged: float = 0.998
    clip: float = 1.0
    every: int = 50
    asked: int = 120


DIGITS: Mapping[Tier, DigitsRecipe] = {
    "cpu": DigitsRecipe(
        # 0.3 M parameters, 20 M multiplications a picture and step.
        network=DrawerConfig(
            d_text=256, fine=32, coarse=64, fine_heads=2, coarse_heads=4, d_time=128
        ),
        minutes=38,
        rows=64,
    ),
    "tiny": DigitsRecipe(
        network=DrawerConfig(
            d_text=256, fine=8, coarse=8, fine_heads=1, coarse_heads=2, d_time=16, groups=4
        ),
        minutes=1,
        rows=4,
        warmup=2,
        every=2,
        asked=10,
    ),
}
