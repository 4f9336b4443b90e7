"""Which position of one text stands for which of another that differs from it in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from core.units import Token


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


def same_place(at: int, tokens: Sequence[Token], others: Sequence[Token]) -> int | None:
    """Which token of another way to cut a text has the letter that one of these begins with.

    The mark before a text stands for the mark before it; None where the other has no such place.

    Args:
        at: the place among the tokens.
        tokens: of one tokenizer, the space before a word belonging to it or not.
        others: of the other.
    """
    here = tokens[at]
    if here.start == here.end:
        marked = at == 0 and any(one.start == one.end for one in others[:1])
        return 0 if marked else None
    first = here.end - len(here.data.decode(errors="replace").lstrip()) if here.data else here.start
    first = min(max(first, here.start), here.end - 1)
    return next((n for n, one in enumerate(others) if one.start <= first < one.end), None)
