"""Reading the residual stream before it is finished."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.norms import normed
from core.tracing.trace import Trace


def layer_logits(trace: Trace, position: int | Sequence[int]) -> NDArray[np.float32]:
    """Logits as if the model ended after the embeddings, and after each block: ``(L + 1, V)``.

    Of several positions ``(L + 1, P, V)``.

    nostalgebraist 2020, "interpreting GPT: the logit lens". The last row is the model's own
    prediction. For a model whose first head is one table (``Head.table``); a norm stands before
    it, or none.

    Args:
        trace: with what every block of the main stack is given and hands on.
        position: in the main stream; several are read in one product with the table.
    """
    blueprint, weights = trace.blueprint, trace.weights
    stack, table = blueprint.main, blueprint.head.table
    assert table is not None
    sites = [f"{stack.block(0)}.resid_pre", *map(stack.output_of, range(stack.n_layers))]
    rows = np.stack([trace[site][position] for site in sites])
    norm = blueprint.final_norm(stack)
    if norm is not None:
        gain, shift = weights[f"{norm.prefix}.weight"], weights.get(f"{norm.prefix}.bias")
        rows = normed(norm.kind, rows.astype(np.float64), gain, shift, norm.eps)
        rows = rows.astype(np.float32)
    return np.asarray(rows @ weights[table].T, dtype=np.float32)
