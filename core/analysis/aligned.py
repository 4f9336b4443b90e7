"""Which position of one text stands for which of another that differs from it in a few words."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(labels: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each position, its place in another row: the same from the start, then from the end.

    The last stands for the last. Of fewer tokens the first ones share a place.
    """
    n, m = len(labels), len(others)
    same = (a == b for a, b in zip(labels, others, strict=False))
    head = next((i for i, one in enumerate(same) if not one), min(n - 1, m - 1))
    return [i if i < head else max(head, m - n + i) for i in range(n)]
