"""Reading the residual stream before it is finished."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import likeliest
from core.analysis.norms import normed
from core.tracing.trace import Trace

AT_ONCE = 16  # positions that are read through all layers in one product: some 10 MB
Guesses = tuple[NDArray[np.int64], NDArray[np.float64]]
_guessed: WeakKeyDictionary[Trace, dict[int, Guesses]] = WeakKeyDictionary()


def layer_guesses(trace: Trace, positions: Sequence[int]) -> Guesses:
    """The likeliest entry after each layer and its probability, both ``(P, L)``.

    As ``layer_logits`` has them. A product with the whole vocabulary takes longer than the run
    itself, so what was read is remembered as long as the trace is.
    """
    guesses = _guessed.setdefault(trace, {})
    new = [position for position in positions if position not in guesses]
    for begin in range(0, len(new), AT_ONCE):
        some = new[begin : begin + AT_ONCE]
        best, shares = likeliest(layer_logits(trace, some)[1:])
        guesses.update(zip(some, zip(best.T, shares.T, strict=True), strict=True))
    best_of, shares_of = zip(*(guesses[position] for position in positions), strict=True)
    return np.array(best_of), np.array(shares_of)


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
    table = trace.blueprint.head.table
    assert table is not None
    return np.asarray(_as_handed_on(trace, position) @ trace.weights[table].T, dtype=np.float32)


def label_logits(trace: Trace) -> NDArray[np.float32]:
    """The same of a model that chooses among labels: ``(L + 1, C)``.

    For one whose logits are one linear map of the first position (``Head.linear``).

    Args:
        trace: with what every block of the main stack is given and hands on.
    """
    linear, weights = trace.blueprint.classifier.linear, trace.weights
    rows = _as_handed_on(trace, 0)
    return np.asarray(rows @ weights[f"{linear}.weight"].T + weights[f"{linear}.bias"], np.float32)


def _as_handed_on(trace: Trace, position: int | Sequence[int]) -> NDArray[np.float32]:
    """What the main stack has made of positions after each layer, through the norm behind it."""
    blueprint, weights = trace.blueprint, trace.weights
    stack = blueprint.main
    sites = [f"{stack.block(0)}.resid_pre", *map(stack.output_of, range(stack.n_layers))]
    rows = np.stack([trace[site][position] for site in sites])
    norm = blueprint.final_norm(stack)
    if norm is not None:
        gain, shift = weights[f"{norm.prefix}.weight"], weights.get(f"{norm.prefix}.bias")
        rows = normed(norm.kind, rows.astype(np.float64), gain, shift, norm.eps)
        rows = rows.astype(np.float32)
    return rows
