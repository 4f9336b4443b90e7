"""The hidden units of the feed-forward network: their functions, and what they write."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest
from core.analysis.norms import centred
from core.analysis.positions import unit_rows
from core.models.blueprint import Norm, Stack
from core.tracing.trace import Trace

Array = NDArray[np.floating]
Function = Callable[[Array], NDArray[np.float64]]

_erf = np.vectorize(math.erf, otypes=[np.float64])


def relu(x: Array) -> NDArray[np.float64]:
    """max(0, x)."""
    return np.maximum(x.astype(np.float64), 0.0)


def gelu(x: Array) -> NDArray[np.float64]:
    """Hendrycks & Gimpel 2016, section 2: x · Phi(x), exact, by the error function."""
    x = x.astype(np.float64)
    return np.asarray(x * 0.5 * (1.0 + _erf(x / math.sqrt(2.0))))


def gelu_tanh(x: Array) -> NDArray[np.float64]:
    """Hendrycks & Gimpel 2016, section 2: the approximation by tanh that GPT-2 uses."""
    x = x.astype(np.float64)
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)
    return np.asarray(0.5 * x * (1.0 + np.tanh(inner)))


def relu_squared(x: Array) -> NDArray[np.float64]:
    """So et al. 2021 (Primer), section 4.1: max(0, x) squared."""
    return relu(x) ** 2


def silu(x: Array) -> NDArray[np.float64]:
    """The sigmoid of x, times x: Hendrycks & Gimpel 2016, section 2 (SiLU), also called Swish."""
    x = x.astype(np.float64)
    # Through tanh the exponential cannot overflow.
    return np.asarray(x * 0.5 * (1.0 + np.tanh(x / 2.0)))


# By the names of core.nn.feedforward.ACTIVATIONS.
FUNCTIONS: dict[str, Function] = {
    "relu": relu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "relu_squared": relu_squared,
    "silu": silu,
}


def strongest(values: Array, k: int) -> list[int]:
    """The ``k`` places with the largest size, largest first."""
    return [int(place) for place in largest(np.abs(values), k)]


def logits_per_one(
    trace: Trace, stack: Stack, layer: int, units: list[int], token: int
) -> NDArray[np.float32]:
    """How much each 1 of a unit's activation at a token adds to every word's logit: ``(units, V)``.

    Geva et al. 2022, "Transformer Feed-Forward Layers Build Predictions by
    Promoting Concepts in the Vocabulary Space", section 3: the unit's column of W_2
    read through the final norm and the output matrix. The norm's divisor is held as
    it is at that token, and what later blocks make of the column is not counted.
    For a stack with a norm after it, which the head reads, and a head that is one table
    (``Head.table``).
    """
    blueprint, weights = trace.blueprint, trace.weights
    norm, table = blueprint.final_norm(stack), blueprint.head.table
    assert norm is not None
    assert table is not None
    columns = centred(norm.kind, _columns(trace, stack, layer, units))
    normed = columns / _divisor(trace, norm, token) * weights[f"{norm.prefix}.weight"]
    return np.asarray(normed @ weights[table].T, np.float32)


def word_cosines(trace: Trace, stack: Stack, layer: int, units: list[int]) -> NDArray[np.float32]:
    """Cosine of each unit's column of W_2 with every word's embedding: ``(units, V)``."""
    columns = _columns(trace, stack, layer, units)
    table = trace.weights[trace.blueprint.embedding(stack.stream).table]
    return np.asarray(unit_rows(columns) @ unit_rows(table).T)


def _divisor(trace: Trace, norm: Norm, token: int) -> NDArray[np.float32]:
    """What a norm divided a token's vector by."""
    if norm.kind == "rms":
        return trace[f"{norm.prefix}.rms"][token]
    return np.sqrt(trace[f"{norm.prefix}.var"][token] + norm.eps)


@dataclass(frozen=True, eq=False)
class Hits:
    """How often the next token is one that a unit promotes, where the unit is most active.

    Attributes:
        shares: of each unit's most active positions, ``(F,)``.
        chance: the same over all positions and units.
    """

    shares: NDArray[np.float64]
    chance: float


def promoted_hits(
    activations: Array, next_ids: NDArray[np.integer], promoted: NDArray[np.integer], n: int = 100
) -> Hits:
    """Whether units are active where the tokens that they promote come next.

    Args:
        activations: of each unit at each position, ``(N, F)``.
        next_ids: the token that follows each position, ``(N,)``.
        promoted: the tokens whose logits each unit raises most, ``(F, P)``.
        n: how many of a unit's most active positions count.
    """
    n_positions, n_units = activations.shape
    shares = np.empty(n_units)
    counts = np.bincount(next_ids, minlength=int(promoted.max()) + 1)
    for unit in range(n_units):
        top = np.argpartition(-activations[:, unit], min(n, n_positions) - 1)[:n]
        shares[unit] = np.isin(next_ids[top], promoted[unit]).mean()
    return Hits(shares, float(counts[promoted].sum() / n_positions / n_units))


def _columns(trace: Trace, stack: Stack, layer: int, units: list[int]) -> NDArray[np.float32]:
    """What each 1 of a unit writes into a stack's stream: ``(units, D)``."""
    return trace.weights[f"{stack.block(layer)}.ffn.w_2.weight"][:, units].T
