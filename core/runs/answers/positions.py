"""Ways to tell a model the order of its tokens, worked out."""

from __future__ import annotations

import torch

from core.errors import ParameterError
from core.language import N_
from core.nn.positions import (
    binary_positions,
    relative_buckets,
    rotary_angles,
    rotate,
    sinusoidal_positions,
)
from core.runs.answering import Context, answer
from core.runs.requests import PositionsRequest
from core.runs.results import PositionTable


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
