"""Probabilities, surprise and entropy of predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def log_softmax(logits: Array) -> NDArray[np.float64]:
    """Natural logarithms of the probabilities, over the last axis; steady for large logits."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


def softmax(
    scores: NDArray[np.floating], may: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """exp(x) over its sum, along the last axis; -inf gives 0, a row of nothing else zeros.

    One of several shares is below 1, however much rounding would make of it.

    Args:
        scores: ``(..., N)``.
        may: which of them count (Vaswani et al. 2017, section 3.2.3: what is masked is minus
            infinity before the softmax, so it is exactly 0 after it); all when None.
    """
    allowed = scores if may is None else np.where(may, scores, -np.inf)
    # A vocabulary for each token is a megabyte: what can be done in place is.
    shares = allowed.astype(np.float64)
    top = shares.max(axis=-1, keepdims=True)
    shares -= np.where(np.isfinite(top), top, 0.0)
    np.exp(shares, out=shares)
    total = shares.sum(axis=-1, keepdims=True)
    np.divide(shares, total, out=shares, where=total > 0)
    if (total == 1.0).any():  # only there can one have all
        several = np.isfinite(allowed).sum(axis=-1, keepdims=True) > 1
        np.minimum(shares, np.nextafter(1.0, 0.0), out=shares, where=several)
    return shares


def likeliest(logits: Array) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The likeliest entry along the last axis, of equals the earlier, and its share: ``(...)``.

    As ``softmax`` has it to seven digits, for a third of the time: of a whole vocabulary only one
    number is wanted.
    """
    top = logits.max(axis=-1, keepdims=True)
    shares = np.asarray(1.0 / np.exp(logits - top).sum(axis=-1, dtype=np.float64))
    if (shares == 1.0).any():  # of several none has all
        several = np.isfinite(logits).sum(axis=-1) > 1
        np.minimum(shares, np.nextafter(1.0, 0.0), out=shares, where=several)
    return logits.argmax(axis=-1), shares


def largest(values: NDArray[np.floating], k: int) -> NDArray[np.int64]:
    """Places of the ``k`` largest along the last axis, largest first; of equals the earlier.

    A vocabulary need not be sorted for its first few: that takes ten times as long.
    """
    k = min(k, values.shape[-1])
    rows = values.reshape(-1, values.shape[-1])
    places_of_rows = np.empty((len(rows), k), np.int64)
    for row, places in zip(rows, places_of_rows, strict=True):
        least = np.partition(row, -k)[-k]
        among = np.flatnonzero(row >= least)
        places[:] = among[np.argsort(-row[among], kind="stable")][:k]
    return places_of_rows.reshape(*values.shape[:-1], k)


def surprisal(logits: Array, ids: Sequence[int]) -> NDArray[np.float64]:
    """-log2 of the probability each token had, in bits: logits ``(T, V)`` give ``(T - 1,)``.

    Entry t belongs to token t + 1, which row t of the logits predicts.
    """
    following = np.asarray(ids[1:], dtype=np.int64)
    rows = log_softmax(logits[: len(following)])
    return np.asarray(-rows[np.arange(len(following)), following] / np.log(2))


def entropy_bits(probs: NDArray[np.floating]) -> NDArray[np.float64]:
    """Shannon entropy over the last axis, in bits."""
    p = probs.astype(np.float64)
    return np.asarray(-(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1))


def order_0_entropy(text: str) -> float:
    """Bits a character, if characters were drawn by how often they occur in the text itself."""
    if not text:
        return 0.0
    _, counts = np.unique(list(text), return_counts=True)
    return float(entropy_bits(counts / counts.sum()))


def rank(logits: Array, token_id: int) -> int:
    """How many entries are likelier than this one: 0 for the likeliest."""
    return int((logits > logits[token_id]).sum())
