"""Ways to tell a model the order of its tokens, worked out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import NoPartError, ParameterError
from core.language import N_
from core.nn.positions import (
    RelativePositions,
    binary_positions,
    relative_buckets,
    rotary_angles,
    rotate,
    sinusoidal_positions,
)
from core.runs.request import Context, OfModel, Request, answer


@dataclass(frozen=True, slots=True)
class PositionsRequest(Request):
    """A way to tell a model the order of its tokens, worked out; needs no model.

    Attributes:
        kind: "sinusoidal" and "binary" give a vector for each position, "rotary" what
            it turns a vector of ones into, "relative" the bucket of each distance.
        n: positions; for "relative" distances from 1 - n to n - 1.
        width: of a vector; for "relative" the number of buckets.
    """

    kind: Literal["sinusoidal", "binary", "rotary", "relative"]
    n: int
    width: int


@dataclass(frozen=True, slots=True)
class BiasRequest(OfModel):
    """What a kind of attention adds to its scores by the distance of query and key.

    Attributes:
        attention: its name; empty for the main one.
    """

    attention: str = ""


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What ``PositionsRequest`` gives: ``(n, width)``, for "t5" ``(2 n - 1,)``."""

    values: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Biases:
    """What a kind of attention adds to its scores, by distance.

    Attributes:
        site: that is added; empty where that is none, and the rest is empty, too.
        distances: ``(N,)``, key position minus query position, in order.
        values: ``(H, N)``, what is added.
        buckets: ``(N,)``, which number of the table that is.
        n_buckets: numbers of the table per head.
        furthest: from this distance on all share the last bucket.
        bidirectional: later keys have buckets of their own; else they share that of distance 0.
    """

    site: str
    distances: NDArray[np.int64]
    values: NDArray[np.float32]
    buckets: NDArray[np.int64]
    n_buckets: int
    furthest: int
    bidirectional: bool


@answer.register
def positions(request: PositionsRequest, _context: Context) -> PositionTable:
    """One number for each position and component, or the bucket of each distance.

    Raises:
        ParameterError: there is no table of that size.
    """
    n, width = request.n, request.width
    if n < 1:
        raise ParameterError("n", n, N_("at least 1"))
    if request.kind == "sinusoidal":
        values = sinusoidal_positions(n, width)
    elif request.kind == "binary":
        values = binary_positions(n, width)
    elif request.kind == "rotary":
        angles = rotary_angles(torch.arange(n), width)
        values = rotate(torch.ones(n, width), angles)
    else:
        values = relative_buckets(torch.arange(1 - n, n), width).float()
    return PositionTable(values.numpy())


@answer.register
def biases(request: BiasRequest, context: Context) -> Biases:
    """What a kind of attention adds, from beyond its furthest distance on either side.

    Raises:
        NoPartError: none of the model's adds anything, or it has no attention.
        ParameterError: it has none of that name.
    """
    model = context.model(request.model)
    site = model.blueprint.attention(request.attention).bias
    if not any(attention.bias for attention in model.blueprint.attentions):
        raise NoPartError(N_("relative position bias"))
    if site is None:
        none = np.zeros(0, np.int64)
        return Biases("", none, np.zeros((0, 0), np.float32), none, 0, 0, bidirectional=False)
    layer = model.model.get_submodule(site.rpartition(".")[0])
    assert isinstance(layer, RelativePositions)
    n = layer.max_distance + layer.max_distance // 4 + 1
    distances = torch.arange(1 - n, n)
    with torch.inference_mode():
        # The last query has all keys before it, the first has all of them behind it.
        values = layer(n, n)[0].float().cpu()
    whole = torch.cat([values[:, -1], values[:, 0, 1:]], dim=-1)
    buckets = relative_buckets(
        distances, layer.table.num_embeddings, layer.max_distance,
        bidirectional=layer.bidirectional,
    )  # fmt: skip
    return Biases(
        site=site,
        distances=distances.numpy(),
        values=whole.numpy(),
        buckets=buckets.numpy(),
        n_buckets=layer.table.num_embeddings,
        furthest=int(distances[buckets != buckets[0]][0].abs()) + 1,
        bidirectional=layer.bidirectional,
    )
