"""The best that a model can become for a reward while it is held near its start.

Of all π the one that maximises E[r] − β KL(π ‖ π₀) is π(y) ∝ π₀(y) exp(r(y) / β) (Rafailov et al.
2023, equation 4). Of n texts that were drawn from π₀ it is a weight for each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax

Floats = NDArray[np.float64]


def tilted(rewards: Floats, beta: float) -> Floats:
    """The share of each of n texts ``(n,)``; with β = 0 the best ones share all."""
    if beta == 0:
        best = (rewards == rewards.max()).astype(np.float64)
        shares: Floats = best / best.sum()
        return shares
    return softmax(rewards / beta)


def kl_from_even(shares: Floats) -> float:
    """KL divergence of shares from equal ones, in nats: between 0 and ln n."""
    some = shares[shares > 0]
    return max(0.0, float((some * np.log(some * len(shares))).sum()))
