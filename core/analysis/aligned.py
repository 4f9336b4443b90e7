"""Which position of one text stands for which of another that differs from it in a few words."""

from __future__ import annotations

from collections.abc import Sequence


def followed(at: int, labels: Sequence[str], others: Sequence[str]) -> int | None:
    """Where what stands at a position stands in another row; None for the last, and if it is gone.

    Whoever looks at the last of one text looks at the last of the other.
    """
    if not 0 <= at < len(labels) - 1 or not others:
        return None
    place = aligned(labels, others)[at]
    return place if others[place] == labels[at] else None


def aligned(labels: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each position, its place in another row: the same from the start, then from the end.

    The last stands for the last. Of fewer tokens the first ones share a place.
    """
    n, m = len(labels), len(others)
    same = (a == b for a, b in zip(labels, others, strict=False))
    head = next((i for i, one in enumerate(same) if not one), min(n - 1, m - 1))
    return [i if i < head else max(head, m - n + i) for i in range(n)]
