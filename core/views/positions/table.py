"""The position table of a model, where it learned one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import by_distance, cosines
from core.inputs import Text
from core.runs.requests import Request, TraceRequest
from core.tracing.trace import Array, Trace
from core.views.params import OnText
from core.views.positions.positional import Encoded, Floats

# Of the usual cosine between neighbours; and rows at the ends that are like no others.
BREAK, ENDS = 0.75, 4


@dataclass(frozen=True)
class Learned:
    """A model's position table.

    Attributes:
        table: ``(n_ctx, d_model)``; of fixed sinusoids the rows that the run read.
        model: id on the shelf.
        started_as_sinusoids: its rows were sinusoids before training.
        fixed: they still are: nothing in it was learned.
    """

    table: Floats
    model: str
    started_as_sinusoids: bool
    fixed: bool = False

    @cached_property
    def by_distance(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean cosine of rows at each distance, and how much it differs over the table."""
        return by_distance(cosines(self.table))

    @cached_property
    def neighbours(self) -> NDArray[np.float64]:
        """Cosine of each row with the next, ``(n_ctx - 1,)``."""
        return np.asarray(np.diagonal(cosines(self.table), 1), np.float64)

    @cached_property
    def seam(self) -> int | None:
        """The row where the table breaks: far less like its neighbours than rows are; or None."""
        inner = self.neighbours[ENDS:-ENDS]
        if not len(inner) or inner.min() >= BREAK * np.median(inner):
            return None
        # The first of those that stand out: around a break, both sides do.
        return ENDS + 1 + int(np.argmax(inner < BREAK * np.median(inner)))


def position_requests(params: Encoded) -> tuple[Request, ...]:
    """A run; of a learned table it makes no difference what it is run on."""
    return (TraceRequest(params.model, Text(OnText().text), sites=("@positions",)),)


def position_rows(trace: Trace) -> Array | None:
    """The rows ``(n_ctx, d_model)``; None of a model whose positions are fixed."""
    embedding = trace.blueprint.embeddings[0]
    if embedding.positions != "learned":
        return None
    return trace.weights[f"{embedding.prefix}.positions.weight"]
