"""The sinusoidal table that the page's controls ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import by_distance
from core.figures.text import number
from core.runs.requests import PositionsRequest, Request
from core.runs.results import PositionTable
from core.views.positions.positional import Floats, Sinusoidal


@dataclass(frozen=True)
class Sines:
    """The table of Vaswani et al. 2017, section 3.5.

    Attributes:
        table: ``(positions, d_model)``, sines and cosines in turn.
        params: what was asked for.
    """

    table: Floats
    params: Sinusoidal

    @cached_property
    def inner_products(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean inner product of rows at each distance, and how much it differs over the table."""
        rows = self.table.astype(np.float64)
        return by_distance(rows @ rows.T)

    @property
    def last(self) -> int:
        """The last position of the table."""
        return len(self.table) - 1

    @property
    def components(self) -> tuple[int, int]:
        """The sine and the cosine of the shown pair."""
        return 2 * self.params.shown_pair, 2 * self.params.shown_pair + 1

    @property
    def pair_of_last(self) -> tuple[str, str]:
        """Sine and cosine of the shown pair at the last position."""
        sine, cosine = (number(float(self.table[-1, at])) for at in self.components)
        return sine, cosine


def sine_requests(params: Sinusoidal) -> tuple[Request, ...]:
    """The table, which no model is needed for."""
    return (PositionsRequest("sinusoidal", params.positions, params.width),)


def sines(runs: Sequence[PositionTable], params: Sinusoidal) -> Sines:
    """The record."""
    return Sines(runs[0].values, params)
