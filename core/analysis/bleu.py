"""BLEU from counts of n-grams, and how sure it is: sentences drawn again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.seeds import checked_seed

ORDERS = 4  # n-grams of 1 to 4 words


@dataclass(frozen=True, eq=False)
class Counts:
    """What BLEU is computed from, a row for each of ``N`` sentences.

    Attributes:
        right: ``(N, 4)``: n-grams of the translation that stand in the reference, each as often
            as it stands there at most.
        length: ``(N,)`` words of the translation.
        reference_length: ``(N,)`` words of the reference.
    """

    right: NDArray[np.int64]
    length: NDArray[np.int64]
    reference_length: NDArray[np.int64]

    def only(self, rows: NDArray[np.bool_]) -> Counts:
        """Some of the sentences."""
        return Counts(self.right[rows], self.length[rows], self.reference_length[rows])


def bleu(counts: Counts) -> float:
    """Corpus BLEU, 0 to 100; NaN without sentences.

    Papineni et al. 2002, section 2.3: the brevity penalty, times the geometric mean of the
    precisions of n-grams. An order of which none is right counts as half a one, the next such
    order as a quarter (Lin and Och 2004, as sacrebleu smooths).
    """
    if not len(counts.length):
        return float("nan")
    return float(_scores(_sums(counts).sum(axis=0, keepdims=True))[0])


def interval(
    counts: Counts, *, draws: int = 1000, seed: int = 0, level: float = 0.95
) -> tuple[float, float]:
    """Between which BLEUs the middle ``level`` of all draws lies; NaN without sentences.

    Koehn 2004, section 3: as many sentences as there are, drawn with replacement.

    Args:
        counts: of the sentences.
        draws: how often they are drawn.
        seed: of the draws.
        level: share of the draws between the two.

    Raises:
        ParameterError: the seed is negative.
    """
    n = len(counts.length)
    if not n:
        return float("nan"), float("nan")
    rng = np.random.default_rng(checked_seed(seed))
    often = rng.multinomial(n, np.full(n, 1 / n), size=draws)
    scores = _scores(often @ _sums(counts))
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _sums(counts: Counts) -> NDArray[np.int64]:
    """``(N, 10)``: n-grams that are right, all n-grams, and the two lengths."""
    orders = np.arange(ORDERS)
    every = np.maximum(counts.length[:, None] - orders, 0)
    return np.concatenate(
        [counts.right, every, counts.length[:, None], counts.reference_length[:, None]], axis=1
    )


def _scores(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    """BLEU of each row of sums, ``(R, 10) -> (R,)``."""
    right, every = sums[:, :ORDERS].astype(float), sums[:, ORDERS : 2 * ORDERS].astype(float)
    length, reference_length = sums[:, -2].astype(float), sums[:, -1].astype(float)
    none = right == 0
    right = np.where(none, 0.5 ** np.cumsum(none, axis=1), right)
    # An order that no translation is long enough for, or nothing right at all, leaves nothing.
    void = (every == 0).any(axis=1) | none.all(axis=1)
    precision = np.log(right / np.maximum(every, 1)).mean(axis=1)
    brevity = np.minimum(0.0, 1 - reference_length / np.maximum(length, 1))
    return np.where(void, 0.0, 100 * np.exp(precision + brevity))
