"""Words of a text put in the place of others, as a link says it: "1~dog~cat", several by "~~"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST = 4  # at once: each is run by itself, too
LONGEST = 40  # characters of a word
_OLD = rf"[^~\s\x00-\x1f\x7f]{{1,{LONGEST}}}"
_NEW = rf"[^~\x00-\x1f\x7f]{{1,{LONGEST}}}"
_ONE = rf"\d{{1,4}}~{_OLD}~{_NEW}"
PATTERN = rf"(?:{_ONE}(?:~~{_ONE}){{0,{MOST - 1}}})?"
_WORD = re.compile(r"\[\w+\]|\w+(?:['’-]\w+)*")  # without the comma behind it; [MASK] is one


@dataclass(frozen=True, slots=True)
class Swap:
    """One word in the place of another.

    Attributes:
        n: number of the word in the text.
        old: the word that stands there.
        new: the word in its place.
    """

    n: int
    old: str
    new: str

    @property
    def name(self) -> str:
        """The swap as the link writes it: number~old~new."""
        return f"{self.n}~{self.old}~{self.new}"


def words(text: str) -> list[tuple[int, int]]:
    """Where each word of a text begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]


def read(encoded: str, text: str) -> list[Swap]:
    """The swaps that a link says, of words that this text has; one a word.

    Of another text the numbers say nothing: a word that does not stand there is not swapped.
    """
    swaps: dict[int, Swap] = {}
    spans = words(text)
    for entry in filter(None, encoded.split("~~")):
        n, old, new = entry.split("~", 2)
        number = int(n)
        if (
            number < len(spans)
            and text[slice(*spans[number])] == old
            and new.strip() not in ("", old)
        ):
            swaps[number] = Swap(number, old, new.strip())
    return list(swaps.values())


def written(swaps: Sequence[Swap]) -> str:
    """As the link says them."""
    return "~~".join(swap.name for swap in swaps)


def swapped(text: str, swaps: Sequence[Swap]) -> str:
    """The text with other words in it."""
    spans = words(text)
    for last in sorted(swaps, key=lambda swap: -swap.n):
        start, end = spans[last.n]
        text = text[:start] + last.new + text[end:]
    return text
