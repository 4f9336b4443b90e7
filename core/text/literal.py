"""A text as it is typed: the names of marks in it are text, too."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

import tokenizers

from core.text.marks import NAMED, UNREAD


def pieces(
    backend: tokenizers.Tokenizer, text: str, marks: Collection[int]
) -> Iterator[tuple[int, int, int, bool]]:
    """The id of each piece of a text, where it begins and ends, and whether it spells a mark.

    Args:
        backend: cuts it.
        text: that was typed.
        marks: ids of the special tokens: a unigram model has them among its entries, and would
            take their names for one piece. They are read letter by letter.
    """
    encoding = backend.encode(text, add_special_tokens=False)
    names = [match.span() for match in NAMED.finditer(text)]
    for token_id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
        named = within(start, end, names)
        if named and token_id in marks and text[start:end] == backend.id_to_token(token_id):
            for index in range(start, end):
                yield _letter(backend, text[index]), index, index + 1, True
        else:
            yield token_id, start, end, named


def within(start: int, end: int, places: Sequence[tuple[int, int]]) -> bool:
    """Whether a piece of a text comes from one of some places of it, in their order, if in part."""
    n = bisect_left(places, (end, 0))  # so many begin before the piece ends
    return n > 0 and start < places[n - 1][1]


def _letter(backend: tokenizers.Tokenizer, char: str) -> int:
    """The entry of a letter by itself, or what stands for one without any."""
    token_id: int | None = backend.token_to_id(char)
    if token_id is None:
        token_id = backend.token_to_id(UNREAD)
    assert token_id is not None  # every vocabulary of ours has an entry for what it cannot read
    return token_id
