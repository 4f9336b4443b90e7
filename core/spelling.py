"""Texts and bytes as they are read and shown: nothing in them stays hidden."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CONTROL = {"\n": "⏎", "\t": "⇥", "\r": "␍", " ": "·", "\u00a0": "⍽"}
_HIDDEN = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff]"
)

MARKS = 64  # on one letter that are put in order together


def composed(text: str) -> str:
    """A text with each letter and its accents as one character (Unicode's form NFC).

    Names of files and PDFs often bring them apart. They look the same, but no tokenizer of ours
    has learned from such texts. To put n marks in a row in order takes Python n² steps, in which
    no other thread runs; no language has more than a few, so a longer row is taken in parts.
    """
    if text.isascii():
        return text
    ends, row = [], 0
    for index, kind in enumerate(map(unicodedata.category, text), 1):
        row = row + 1 if kind.startswith("M") else 0
        if row % MARKS == 0 and row:
            ends.append(index)
    parts = zip([0, *ends], [*ends, len(text)], strict=True)
    return "".join(unicodedata.normalize("NFC", text[start:end]) for start, end in parts)


def letters(sentence: str) -> str:
    """A sentence without case, spaces and punctuation."""
    return "".join(char for char in sentence.casefold() if char.isalnum())


def put_together(text: str) -> list[str]:
    """The letters that ``composed`` makes one of several characters, each once."""
    letters: list[str] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and _goes_along(text[end]):
            continue
        letter = composed(text[start:end])
        if letter != text[start:end]:
            letters.append(letter)
        start = end
    return list(dict.fromkeys(letters))


def _goes_along(char: str) -> bool:
    """Whether a character belongs to the one before it: an accent, the rest of a syllable."""
    return unicodedata.category(char).startswith("M") or "\u1160" <= char <= "\u11ff"


def visible(text: str) -> str:
    """A text with nothing hidden in it: spaces as ·, newlines as ⏎, control characters by code."""
    out = "".join(_CONTROL.get(char, char) for char in text)
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match.group()):04X}›", out)


def hexadecimal(data: bytes) -> str:
    """Bytes as two digits each: 61 67."""
    return " ".join(f"{byte:02X}" for byte in data)


@lru_cache(maxsize=16384)
def bytes_label(data: bytes) -> str:
    """Bytes as the text they spell; as hexadecimal when they are no whole characters."""
    try:
        return visible(data.decode())
    except UnicodeDecodeError:
        return hexadecimal(data)
