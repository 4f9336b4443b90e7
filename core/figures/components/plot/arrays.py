"""The arrays that plots are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = Sequence[float] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


def names_at(categories: Sequence[str], places: Floats) -> list[str]:
    """The categories at some places; nothing where there is none."""
    return [categories[int(place)] if 0 <= place < len(categories) else "" for place in places]


NARROWEST = 0.25  # pixels of a cell: of narrower ones not each has a pixel
BEYOND = 1e100  # its size, and one over it: the length of an axis is a number, too


def numbers(values: Numbers) -> Floats:
    """Values as an array; what is infinite, or as good as that, has no place in a plot: NaN."""
    array = np.asarray(values, dtype=np.float64)
    return np.where(np.abs(array) < BEYOND, array, np.nan)


def edges(middles: Floats) -> Floats:
    """Where cells end whose middles are given: halfway to the next, the outer ones as far out."""
    if len(middles) < 2:
        return np.array([middles[0] - 0.5, middles[0] + 0.5]) if len(middles) else np.zeros(1)
    half = np.diff(middles) / 2
    return np.concatenate([middles[:1] - half[0], middles[:-1] + half, middles[-1:] + half[-1]])
