"""How sure a share is that was counted in a sample."""

from __future__ import annotations

import math


def wilson(hits: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927, "Probable inference"), which stays within 0 to 1.

    Args:
        hits: how many of the sample.
        n: of the sample, at least 1.
        z: of the normal distribution: 1.96 for 95 %.
    """
    share = hits / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return max(0.0, middle - half), min(1.0, middle + half)
