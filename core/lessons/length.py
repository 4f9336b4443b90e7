"""How long a lesson takes: reckoned from what is read, looked at and answered in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.lessons.filling import HOLE
from core.lessons.question import Question

# Words a minute. Adults read 238 of a text that explains something (Brysbaert 2019, "How many
# words do we read per minute?"); here they look up at a figure in between.
PACE = 200
MOST = 15  # minutes of a lesson
LOOK = 10.0  # seconds, at a figure before anything is done to it
TAP = 10.0  # seconds, where a click is the answer
# Seconds from the question to the answer, by how it is given.
ANSWERS = {
    "choice": 20.0, "bet": 25.0, "tokens": 25.0, "cells": 25.0, "order": 30.0, "number": 45.0,
    "do": 45.0,
}  # fmt: skip
_FORMULA = re.compile(r"\$[^$]+\$")
_WORD = re.compile(r"\w[\w’'-]*")
_ANCHOR = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def reading(texts: Iterable[str]) -> float:
    """Seconds that it takes to read some texts of a lesson.

    A number that the run fills in counts as a word, a formula as two.
    """
    text = HOLE.sub(lambda hole: " " if hole[1] else " 7 ", " ".join(texts))  # no check is seen
    text = _FORMULA.sub(" x y ", _ANCHOR.sub(r"\1", text))
    return 60 * len(_WORD.findall(text)) / PACE


def answering(question: Question) -> float:
    """Seconds from a question's first word to the answer that is given at the first try."""
    texts = [question.ask]
    if question.kind == "choice":
        texts += [str(question.answer), *(str(wrong.answer) for wrong in question.wrong.values())]
    return reading(texts) + (TAP if question.at_once else ANSWERS[question.kind])
