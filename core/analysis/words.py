"""Which tokens make which word, and what of a text a tokenizer changes before it cuts it."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Literal

from core.text.bpe import split_words
from core.units import Token

Kind = Literal["same", "lowered", "stripped", "rewritten", "dropped", "unknown"]


@dataclass(frozen=True, slots=True)
class TextStretch:
    """A stretch of a text and what is read in its place.

    Attributes:
        typed: as it stands in the text.
        read: what the model gets; empty when it gets nothing.
        kind: what happened to it; "stripped" of its accents.
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
    numbers: list[int | None] = []
    for token in tokens:
        # Cutting hands a word its leading space; WordPiece's tokens start behind it.
        numbers.append(None if token.special else bisect_right(starts, token.start) - 1)
    return numbers


def as_read(text: str, normalized: Sequence[str], tokens: Sequence[Token]) -> list[TextStretch]:
    """The text in stretches of one kind each, with what the model reads in their place.

    Args:
        text: what was typed.
        normalized: what each character becomes, ``Tokenizer.normalized``.
        tokens: what came of it; a typed mark that was read as one (``[MASK]``) is as it was typed.
    """
    # The marks around a text stand for none of it.
    read = (token for token in tokens if token.end > token.start)
    whole = {token.start: token for token in read if token.unknown or token.special}
    parts: list[TextStretch] = []
    offset = 0
    while offset < len(text):
        token = whole.get(offset)
        if token is not None:
            kind: Kind = "unknown" if token.unknown else "same"
            parts.append(TextStretch(text[offset : token.end], token.piece, kind))
            offset = token.end
            continue
        parts.append(_part(text[offset], normalized[offset]))
        offset += 1
    joined: list[TextStretch] = []
    for of, run in groupby(parts, key=lambda part: part.kind):
        same = list(run)
        if of == "unknown":
            joined += same
        else:
            typed, becomes = ("".join(p.typed for p in same), "".join(p.read for p in same))
            joined.append(TextStretch(typed, becomes, of))
    return joined


def _part(char: str, becomes: str) -> TextStretch:
    if not becomes:
        return TextStretch(char, "", "dropped")
    if becomes == char or char.isspace():
        return TextStretch(char, becomes, "same")
    read = becomes.strip()  # Chinese characters get spaces around them
    return TextStretch(char, read, _change(char, read))


def _change(char: str, read: str) -> Kind:
    if read == char:
        return "same"
    if read == char.lower():
        return "lowered"
    letters = unicodedata.normalize("NFD", char.lower())
    bare = "".join(letter for letter in letters if not is_accent(letter))
    return "stripped" if read == bare != letters else "rewritten"


def is_accent(char: str) -> bool:
    """Whether a character is a mark on the one before it."""
    return unicodedata.combining(char) != 0
