"""Every array of one head: what the arithmetic of its cells is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.views.attention.head import HeadRun


def arrays_of(record: HeadRun) -> dict[str, NDArray[Any]]:
    """Its sites, its own slices of the projections, and what these are given."""
    weights, prefix = record.trace.weights, record.prefix
    n_units = record("q").shape[1]
    mine = slice(record.head * n_units, (record.head + 1) * n_units)
    arrays: dict[str, NDArray[Any]] = {
        name: record(name) for name in ("q", "k", "v", "dots", "scores", "weights", "z")
    }
    for name in "qkv":
        arrays[f"w_{name}"] = weights[f"{prefix}w_{name}.weight"][mine]
        if record.biased:
            arrays[f"b_{name}"] = weights[f"{prefix}w_{name}.bias"][mine]
    if record.bias is not None:
        arrays["bias"] = record.bias
        if record.attention.scale is not None:
            arrays["scaled"] = arrays["dots"] / np.float32(record.attention.scale)
    w_o = weights[f"{prefix}w_o.weight"][:, mine]
    source = record.source
    return arrays | {
        "x": record.trace[record.attention.reads(record.layer)],
        **({} if source is None else {"source": record.trace[source]}),
        "w_o": w_o,
        "out": (record("z") @ w_o.T).astype(np.float32),
        "all_heads": record("out"),
        "may": record.mask.astype(np.uint8),
    }
