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


def mark(posed: Posed, given: Any, *, in_percent: bool = False) -> Marked | None:
    """Mark an answer.

    Args:
        posed: the question.
        given: a number, a place, a list of places, or of a bet a list of per cents.
        in_percent: of a share that was given in per cent, and said so; it is a share by now.

    Returns:
        What became of it; None for what is no answer to this question.
    """
    found = answer_of(posed, given)
    if found is None:
        return None
    if posed.question.kind == "bet":
        share = found[posed.right]
        idea = next((name for name, n in posed.wrong.items() if found[n] > EVEN), "")
        bits = -math.log2(share) if share > 0 else math.inf
        return Marked(share >= EVEN, "" if share >= EVEN else idea, bits)
    if posed.question.kind == "number":
        return _of_a_number(posed, found, in_percent=in_percent)
    if found == posed.right:
        return Marked(right=True)
    ideas = [name for name, one in posed.wrong.items() if found == one]
    if posed.question.one:  # and a place of those that an idea would pick shows it
        ideas += [name for name, one in posed.wrong.items() if found <= one]
    return Marked(False, next(iter(ideas), ""))


def _of_a_number(posed: Posed, found: float, *, in_percent: bool) -> Marked:
    """What became of a number: above one whole a share is meant in per cent, with any sign."""
    question = posed.question
    read = {found} if in_percent else read_as(question, found)
    meant = min(read, key=abs)
    least = tolerance_of(question, posed.right)
    if abs(meant - posed.right) <= least:
        return Marked(right=True)
    for idea, value in posed.wrong.items():  # of which one may be more than a whole
        if min(abs(one - value) for one in read) <= tolerance_of(question, value):
            return Marked(right=False, idea=idea)
    return Marked(right=False, idea=WRONG_SIGN if abs(meant + posed.right) <= least else "")


def said_to(posed: Posed, idea: str) -> Parts:
    """What is said to somebody who holds an idea; nothing where nobody knows it."""
    wrong = posed.question.wrong.get(idea)
    own = wrong.says if wrong is not None else None
    return posed.parts(own or misconceptions(language()).get(idea, ""))


def answer_of(posed: Posed, given: Any) -> Any:
    """An answer from the browser, as this question has it; None for what is none.

    A goal has no answer: what she makes of the figure reaches it (``doing.attempt``).
    """
    n, kind = len(posed.options), posed.question.kind
    if kind == "number":
        return _number(given)
    if kind == "choice":
        return given if type(given) is int and 0 <= given < n else None
    fits = isinstance(given, list) and kind != "do" and (not posed.question.one or len(given) == 1)
    return _several(kind, given, n) if fits else None


def _number(given: Any) -> float | None:
    """A number from the browser; None for what is none, or too large for one."""
    try:
        found = float(given) if type(given) in (int, float) else math.nan
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _several(kind: str, given: list[Any], n: int) -> Any:
    """An answer that names several options."""
    if kind == "bet":
        return _shares(given, n)
    places = [one for one in given if type(one) is int and 0 <= one < n]
    if len(set(places)) < len(given) or (kind == "order" and len(places) < n):
        return None
    return frozenset(places) if kind in ("tokens", "cells") else tuple(places)


def _shares(given: list[Any], n: int) -> list[float] | None:
    """A bet as shares of one."""
    shares = [one for one in map(_number, given) if one is not None]
    whole = sum(shares)
    if len(shares) != n or len(given) != n or min(shares) < 0 or not 0 < whole < math.inf:
        return None
    return [one / whole for one in shares]
