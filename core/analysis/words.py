"""Which tokens make which word, and what of a text a tokenizer changes before it cuts it."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Literal

from core.text.bpe import split_words
from core.text.tokenizer import Token

Kind = Literal["same", "lowered", "rewritten", "dropped", "unknown"]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text and what is read in its place.

    Attributes:
        typed: as it stands in the text.
        read: what the model gets; empty when it gets nothing.
        kind: what happened to it.
    """

    typed: str
    read: str
    kind: Kind


def word_of_tokens(text: str, tokens: Sequence[Token]) -> list[int | None]:
    """For each token the number of its word among ``split_words(text)``.

    None for the model's own marks. Words belong to the text, so they are the
    same for every tokenizer.
    """
    starts = list(accumulate((len(word) for word in split_words(text)), initial=0))
    found: list[int | None] = []
    for token in tokens:
        # Cutting hands a word its leading space; WordPiece's tokens start behind it.
        found.append(None if token.special else bisect_right(starts, token.start) - 1)
    return found


def as_read(text: str, normalized: Sequence[str], tokens: Sequence[Token]) -> list[Part]:
    """The text in stretches of one kind each, with what the model reads in their place.

    Args:
        text: what was typed.
        normalized: what each character becomes, ``Tokenizer.normalized``.
        tokens: what came of it.
    """
    unknown = {token.start: token for token in tokens if token.unknown}
    parts: list[Part] = []
    at = 0
    while at < len(text):
        token = unknown.get(at)
        if token is not None and token.end > at:
            parts.append(Part(text[at : token.end], token.piece, "unknown"))
            at = token.end
            continue
        parts.append(_part(text[at], normalized[at]))
        at += 1
    joined: list[Part] = []
    for kind, run in groupby(parts, key=lambda part: part.kind):
        same = list(run)
        if kind == "unknown":
            joined += same
        else:
            typed, read = ("".join(p.typed for p in same), "".join(p.read for p in same))
            joined.append(Part(typed, read, kind))
    return joined


def _part(char: str, becomes: str) -> Part:
    if becomes == char or char.isspace():
        return Part(char, becomes, "same")
    if not becomes:
        return Part(char, "", "dropped")
    read = becomes.strip()  # Chinese characters get spaces around them
    kind: Kind = "same" if read == char else "lowered" if read == char.lower() else "rewritten"
    return Part(char, read, kind)


def is_accent(char: str) -> bool:
    """Whether a character is a mark on the one before it."""
    return unicodedata.combining(char) != 0
