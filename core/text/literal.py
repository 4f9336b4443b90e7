"""A text as it is typed: the names of marks in it are text, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator

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
    names = [found.span() for found in NAMED.finditer(text)]
    for id_, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
        named = any(start < last and end > first for first, last in names)
        if named and id_ in marks and text[start:end] == backend.id_to_token(id_):
            for at in range(start, end):
                yield _letter(backend, text[at]), at, at + 1, True
        else:
            yield id_, start, end, named


def _letter(backend: tokenizers.Tokenizer, char: str) -> int:
    """The entry of a letter by itself, or what stands for one without any."""
    found: int | None = backend.token_to_id(char)
    if found is None:
        found = backend.token_to_id(UNREAD)
    assert found is not None  # every vocabulary of ours has an entry for what it cannot read
    return found
