"""Ways to tell a model the order of its tokens, worked out."""

from __future__ import annotations

import numpy as np
import torch

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
from core.runs.answering import Context, answer
from core.runs.requests import BiasRequest, PositionsRequest
from core.runs.results import Biases, PositionTable


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
    if not any(one.bias for one in model.blueprint.attentions):
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
