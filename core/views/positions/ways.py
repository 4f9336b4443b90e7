"""Four ways to tell positions apart, compared past the length that a model was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.positions import by_distance, cosines
from core.runs.requests import PositionsRequest, Request
from core.views.positions.positional import SPAN, Encoded, Floats
from core.views.positions.table import position_requests, position_rows

D_HEAD = 64  # rotary turns a head's vectors, not the stream's
BUCKETS = 32  # T5's: half for keys up to the query, half for those after it


@dataclass(frozen=True)
class Ways:
    """What two positions have in common under each way, for positions 0 to ``SPAN - 1``.

    Attributes:
        learned: cosines of the model's rows ``(n_ctx, n_ctx)``; ``(0, 0)`` where it has none.
        sinusoidal: cosines of the sinusoidal rows ``(SPAN, SPAN)``.
        rotary: cosines of two equal vectors, all ones, after each was turned to its position.
        buckets: T5's bucket of each distance, key minus query, from 1 - SPAN on.
        n_ctx: positions the model was trained on.
        params: what was asked for.
    """

    learned: Floats
    sinusoidal: Floats
    rotary: Floats
    buckets: Floats
    n_ctx: int
    params: Encoded

    @cached_property
    def curves(self) -> Mapping[str, NDArray[np.float64]]:
        """Means over all pairs at each distance, of the ways that give a cosine."""
        ways = {"learned": self.learned, "sinusoidal": self.sinusoidal, "rotary": self.rotary}
        return {name: by_distance(pairs)[0] for name, pairs in ways.items() if len(pairs)}

    def bucket(self, distance: int) -> int:
        """The bucket of a key ``distance`` positions before its query; after it when negative."""
        return int(self.buckets[SPAN - 1 - distance])

    def last_bucket_from(self) -> int:
        """The nearest distance that falls into the same bucket as the farthest."""
        far = self.buckets[:SPAN][::-1]
        return int(np.argmax(far == far[-1]))


def way_requests(params: Encoded) -> tuple[Request, ...]:
    """A model for its own table, and the three ways that need none."""
    return (
        *position_requests(params),
        PositionsRequest("sinusoidal", SPAN, params.width),
        PositionsRequest("rotary", SPAN, D_HEAD),
        PositionsRequest("relative", SPAN, BUCKETS),
    )


def ways(runs: Sequence[Any], params: Encoded) -> Ways:
    """The record."""
    run, sinusoidal, rotary, buckets = runs
    rows = position_rows(run.trace)
    return Ways(
        learned=np.zeros((0, 0)) if rows is None else cosines(rows[:SPAN]),
        sinusoidal=cosines(sinusoidal.values),
        rotary=cosines(rotary.values),
        buckets=buckets.values,
        n_ctx=run.trace.config.n_ctx,
        params=params,
    )
