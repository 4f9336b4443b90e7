"""Reading the residual stream before it is finished."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.tracing.trace import Array, Trace


def layer_norm(x: Array, gain: Array, shift: Array, eps: float) -> Array:
    """Ba et al. 2016, section 3, over the last axis."""
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return np.asarray((x - mean) / np.sqrt(var + eps) * gain + shift, dtype=np.float32)


def layer_logits(trace: Trace, position: int) -> NDArray[np.float32]:
    """Logits as if the model ended after the embeddings, and after each block: ``(L + 1, V)``.

    nostalgebraist 2020, "interpreting GPT: the logit lens". The last row is the
    model's own prediction. For models with a final norm and a tied head.
    """
    weights, n_layers = trace.weights, trace.topology.n_layers
    rows = [trace["blocks.0.resid_pre"][position]]
    rows += [trace[f"blocks.{i}.resid_post"][position] for i in range(n_layers)]
    normed = layer_norm(
        np.stack(rows),
        weights["final_norm.weight"],
        weights["final_norm.bias"],
        trace.config.eps,
    )
    return np.asarray(normed @ weights["embed.tokens.weight"].T, dtype=np.float32)
