"""The phrases of a first French lesson and what they mean, to mark what a translator gets wrong."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from core.spelling import letters

FILE = Path(__file__).resolve().parents[2] / "assets" / "phrases" / "first_phrases.tsv"


@cache
def first_phrases() -> Mapping[str, tuple[str, ...]]:
    """Each phrase, and its acceptable translations, the most usual first."""
    with FILE.open(encoding="utf-8", newline="") as rows:
        read = csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["fr"]: tuple(row["en"].split("|")) for row in read}


@cache
def _by_letters() -> Mapping[str, tuple[str, ...]]:
    return {letters(phrase): meanings for phrase, meanings in first_phrases().items()}


def meanings_of(text: str) -> tuple[str, ...]:
    """What a phrase means, however it is written; nothing of what is none of them."""
    return _by_letters().get(letters(text), ())


def is_right(phrase: str, meanings: Sequence[str]) -> bool:
    """Whether a translation is one of those, case and punctuation aside."""
    return letters(phrase) in set(map(letters, meanings))
