"""Why dot products are scaled: an experiment on random vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.analysis.heads import entropy
from core.seeds import checked_seed

Array = NDArray[np.float32]
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
N_QUERIES = 256


def softmax_gradient(weights: NDArray[np.floating]) -> Array:
    """Size of softmax's Jacobian, its Frobenius norm: ``(..., N) -> (...)``.

    The Jacobian is diag(p) - p pᵀ; it vanishes when all weight is on one key.
    """
    squares = (weights**2).sum(axis=-1)
    cubes = (weights**3).sum(axis=-1)
    return np.asarray(np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0.0)), dtype=np.float32)


@dataclass(frozen=True)
class Saturation:
    """What scaling does, for vectors of different sizes; means over ``N_QUERIES`` random queries.

    Attributes:
        n_keys: keys that each query is compared with.
        sizes: components of a vector.
        entropy_scaled, entropy_raw: of the weights, in bits.
        gradient_scaled, gradient_raw: size of softmax's Jacobian.
    """

    n_keys: int
    sizes: tuple[int, ...]
    entropy_scaled: Array
    entropy_raw: Array
    gradient_scaled: Array
    gradient_raw: Array


@lru_cache(maxsize=32)  # 100 ms of arithmetic that every rerun of the page would repeat
def saturation(n_keys: int, seed: int) -> Saturation:
    """Compare softmax of q · k with softmax of q · k / √d, all components from N(0, 1).

    Vaswani et al. 2017, section 3.2.1, footnote 4: the dot product of such
    vectors has mean 0 and variance d.

    Raises:
        ParameterError: the seed is none.
    """
    rng = np.random.default_rng(checked_seed(seed))
    rows = []
    for d in SIZES:
        q = rng.standard_normal((N_QUERIES, d))
        k = rng.standard_normal((N_QUERIES, n_keys, d))
        dots = np.einsum("nd,nkd->nk", q, k)
        scaled, raw = softmax(dots / np.sqrt(d)), softmax(dots)
        rows.append(
            [
                entropy(scaled).mean(),
                entropy(raw).mean(),
                softmax_gradient(scaled).mean(),
                softmax_gradient(raw).mean(),
            ]
        )
    columns = np.array(rows, np.float32).T
    return Saturation(n_keys, SIZES, *columns)
