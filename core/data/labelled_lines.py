"""Sentences with a label each: our own, and those that a learner types, one a line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import LinesError
from core.language import N_, Phrase

FILE = Path(__file__).resolve().parents[2] / "assets" / "sentences" / "feelings.txt"
_COLON = re.compile("[:\N{FULLWIDTH COLON}]")  # the second as a Chinese keyboard writes it
ASKED = "?"  # in place of a label: what it is, is asked
MAX_LINES, MAX_LENGTH, MAX_LABEL, MAX_LABELS = 60, 200, 20, 4
LEAST = 2  # of each label: one to learn from, one held out
_FORM = N_(
    "Line {n} is not a label, a colon and a sentence: “{said}”. Write a label of at most {most} "
    "characters, a colon and a sentence, as in “happy: The sun came out.” Your lines are kept."
)
_LONG = N_("Line {n} is longer than {most} characters. Shorten it. Your lines are kept.")
_TOO_MANY = N_(
    "There are {n} sentences, and at most {most} can be learned from. Take some away. Your lines "
    "are kept."
)
_LABELS = N_(
    "Different labels: {n}. From 2 to {most} are needed. Change the words before the colons. Your "
    "lines are kept."
)
_FEW = N_(
    "Only one sentence has the label “{label}”. One is needed to learn from and one to try the "
    "model on: write another. Your lines are kept."
)


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A sentence and its label; ``ASKED`` for one whose label nobody has said."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class LabelledLines:
    """Labelled sentences in two halves, and some to ask about.

    Of each label the first sentence is learned from, the second is held out, and so on.

    Attributes:
        train: that a model learns from.
        held: that it is tried on.
        asked: without a label.
    """

    train: tuple[LabelledLine, ...]
    held: tuple[LabelledLine, ...]
    asked: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order in which they came."""
        return tuple(dict.fromkeys(line.label for line in self.train))

    def numbers(self, lines: tuple[LabelledLine, ...]) -> list[int]:
        """The labels of some lines, each by its place among all."""
        return [self.labels.index(line.label) for line in lines]


@lru_cache(maxsize=1)
def our_lines() -> str:
    """Our own sentences, as they are typed."""
    return FILE.read_text(encoding="utf-8")


def read_lines(typed: str = "") -> LabelledLines:
    """Sentences from a text box or a link: "happy: The sun came out.", one a line.

    Args:
        typed: by a stranger; our own where there is nothing in it.

    Raises:
        LinesError: a line has no label or no text, or there are too many or too few of them; says
            which line, and what to do.
    """
    lines: list[LabelledLine] = []
    for n, text in enumerate((typed if typed.strip() else our_lines()).splitlines(), 1):
        if text.strip():
            lines.append(_line(n, text))
    if len(lines) > MAX_LINES:
        raise LinesError(Phrase(_TOO_MANY, n=len(lines), most=MAX_LINES))
    labelled = [line for line in lines if line.label != ASKED]
    of_each = Counter(line.label for line in labelled)
    if not 2 <= len(of_each) <= MAX_LABELS:
        raise LinesError(Phrase(_LABELS, n=len(of_each), most=MAX_LABELS))
    for label, n in of_each.items():
        if n < LEAST:
            raise LinesError(Phrase(_FEW, label=label))
    return _halved(labelled, tuple(line.text for line in lines if line.label == ASKED))


def _line(n: int, text_of_line: str) -> LabelledLine:
    label, text = (part.strip() for part in (*_COLON.split(text_of_line, maxsplit=1), "")[:2])
    if not label or not text or len(label) > MAX_LABEL:
        raise LinesError(Phrase(_FORM, n=n, said=text_of_line.strip()[:40], most=MAX_LABEL))
    if len(text) > MAX_LENGTH:
        raise LinesError(Phrase(_LONG, n=n, most=MAX_LENGTH))
    return LabelledLine(text, label)


def _halved(lines: list[LabelledLine], questions: tuple[str, ...]) -> LabelledLines:
    counts: Counter[str] = Counter()
    halves: tuple[list[LabelledLine], list[LabelledLine]] = ([], [])
    for line in lines:
        halves[counts[line.label] % 2].append(line)
        counts[line.label] += 1
    return LabelledLines(tuple(halves[0]), tuple(halves[1]), questions)
