"""Which position of one text stands for which of another that differs from it in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from core.units import Token


def followed(position: int, labels: Sequence[str], others: Sequence[str]) -> int | None:
    """Where what stands at a position stands in another row; None for the last, and if it is gone.

    Whoever looks at the last of one text looks at the last of the other.
    """
    if not 0 <= position < len(labels) - 1 or not others:
        return None
    place = aligned(labels, others)[position]
    return place if others[place] == labels[position] else None


def aligned(labels: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each position, its place in another row: what is the same stands for the same.

    Of several tokens in the place of one the last stands for it, of fewer the first ones share a
    place. The last of all stands for the last of all.
    """
    n, m = len(labels), len(others)
    same = [a == b for a, b in zip(labels, others, strict=False)]
    head = next((i for i, is_same in enumerate(same) if not is_same), min(n - 1, m - 1))
    head = min(head, n - 1, m - 1)
    ends = [a == b for a, b in zip(reversed(labels[head:]), reversed(others[head:]), strict=False)]
    tail = max(1, next((i for i, is_same in enumerate(ends) if not is_same), len(ends)))
    places = [*range(head), *(0 for _one in range(head, n - tail)), *range(m - tail, m)]
    between = SequenceMatcher(a=labels[head : n - tail], b=others[head : m - tail], autojunk=False)
    for _tag, begin, end, first, last in between.get_opcodes():
        for i in range(begin, end):
            places[head + i] = head + max(first, last - (end - i))
    return places


def standing(labels: Sequence[str], others: Sequence[str]) -> list[tuple[int, ...]]:
    """For each position all that stands in its place in another row, what stands for it last.

    What stands for no position by itself has a number, too: such ones are counted on after the
    last position, so that each of the other row can be named.
    """
    places, back = aligned(labels, others), aligned(others, labels)
    matched = set(places)
    unmatched = [i for i in range(len(others)) if i not in matched]
    together = [(*(i for i in unmatched if back[i] == n), place) for n, place in enumerate(places)]
    return [*together, *((i,) for i in unmatched)]


def numbers(places: Sequence[Sequence[int]]) -> list[int]:
    """For each position of the other row its number, as ``standing`` counts."""
    return [n for _at, n in sorted({places[-1]: n for n, places in enumerate(places)}.items())]


def same_place(position: int, tokens: Sequence[Token], others: Sequence[Token]) -> int | None:
    """Which token of another way to cut a text has the letter that one of these begins with.

    The mark before a text stands for the mark before it; None where the other has no such place.

    Args:
        position: the place among the tokens.
        tokens: of one tokenizer, the space before a word belonging to it or not.
        others: of the other.
    """
    token = tokens[position]
    if token.start == token.end:
        marked = position == 0 and any(other.start == other.end for other in others[:1])
        return 0 if marked else None
    first = (
        token.end - len(token.data.decode(errors="replace").lstrip()) if token.data else token.start
    )
    first = min(max(first, token.start), token.end - 1)
    return next((n for n, other in enumerate(others) if other.start <= first < other.end), None)
