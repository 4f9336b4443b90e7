"""What becomes of an answer: right, wrong, or what somebody answers who holds an idea."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from core.language import language
from core.lessons import misconceptions
from core.lessons.inline import Parts
from core.lessons.near import read_as, tolerance_of
from core.lessons.posing import Posed

WRONG_SIGN = "wrong-sign"  # an idea that every number can show
EVEN = 0.5  # of a bet: what makes it right


@dataclass(frozen=True, slots=True)
class Marked:
    """What became of an answer.

    Attributes:
        right: it was.
        idea: the misconception that gives this answer; empty for none.
        bits: of a bet, the surprisal of the right option.
    """

    right: bool
    idea: str = ""
    bits: float | None = None


def mark(posed: Posed, value: Any, *, in_percent: bool = False) -> Marked | None:
    """Mark an answer.

    Args:
        posed: the question.
        value: a number, a place, a list of places, or of a bet a list of per cents.
        in_percent: of a share that was given in per cent, and said so; it is a share by now.

    Returns:
        What became of it; None for what is no answer to this question.
    """
    answer = answer_of(posed, value)
    if answer is None:
        return None
    if posed.question.kind == "bet":
        share = answer[posed.right]
        idea = next((name for name, n in posed.wrong.items() if answer[n] > EVEN), "")
        bits = -math.log2(share) if share > 0 else math.inf
        return Marked(share >= EVEN, "" if share >= EVEN else idea, bits)
    if posed.question.kind == "number":
        return _of_a_number(posed, answer, in_percent=in_percent)
    if answer == posed.right:
        return Marked(right=True)
    ideas = [name for name, wrong in posed.wrong.items() if answer == wrong]
    if posed.question.one:  # and a place of those that an idea would pick shows it
        ideas += [name for name, wrong in posed.wrong.items() if answer <= wrong]
    return Marked(False, next(iter(ideas), ""))


def _of_a_number(posed: Posed, answer: float, *, in_percent: bool) -> Marked:
    """What became of a number: above one whole a share is meant in per cent, with any sign."""
    question = posed.question
    read = {answer} if in_percent else read_as(question, answer)
    meant = min(read, key=abs)
    least = tolerance_of(question, posed.right)
    if abs(meant - posed.right) <= least:
        return Marked(right=True)
    for idea, value in posed.wrong.items():  # of which one may be more than a whole
        if min(abs(number - value) for number in read) <= tolerance_of(question, value):
            return Marked(right=False, idea=idea)
    return Marked(right=False, idea=WRONG_SIGN if abs(meant + posed.right) <= least else "")


def said_to(posed: Posed, idea: str) -> Parts:
    """What is said to somebody who holds an idea; nothing where nobody knows it."""
    wrong = posed.question.wrong.get(idea)
    sentence = wrong.says if wrong is not None else None
    return posed.parts(sentence or misconceptions(language()).get(idea, ""))


def answer_of(posed: Posed, value: Any) -> Any:
    """An answer from the browser, as this question has it; None for what is none.

    A goal has no answer: what she makes of the figure reaches it (``doing.attempt``).
    """
    n, kind = len(posed.options), posed.question.kind
    if kind == "number":
        return _number(value)
    if kind == "choice":
        return value if type(value) is int and 0 <= value < n else None
    fits = isinstance(value, list) and kind != "do" and (not posed.question.one or len(value) == 1)
    return _several(kind, value, n) if fits else None


def _number(value: Any) -> float | None:
    """A number from the browser; None for what is none, or too large for one."""
    try:
        number = float(value) if type(value) in (int, float) else math.nan
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _several(kind: str, places_: list[Any], n: int) -> Any:
    """An answer that names several options."""
    if kind == "bet":
        return _shares(places_, n)
    places = [place for place in places_ if type(place) is int and 0 <= place < n]
    if len(set(places)) < len(places_) or (kind == "order" and len(places) < n):
        return None
    return frozenset(places) if kind in ("tokens", "cells") else tuple(places)


def _shares(shares_: list[Any], n: int) -> list[float] | None:
    """A bet as shares of one."""
    shares = [share for share in map(_number, shares_) if share is not None]
    total = sum(shares)
    if len(shares) != n or len(shares_) != n or min(shares) < 0 or not 0 < total < math.inf:
        return None
    return [share / total for share in shares]
