"""What becomes of every answer to a question, as tables that the marking itself has filled."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from core.lessons.marking import EVEN, WRONG_SIGN, mark
from core.lessons.near import tolerance_of
from core.lessons.player import numbers_of, surprise
from core.lessons.posing import Posed

RIGHT, NEITHER = "+", ""  # beside the ids of misconceptions
STAKES = 100  # per cent on an option: what the component lets her bet
NARROW = 1e-11  # about an edge, relative: as near as arithmetic brings it


def outcomes(posed: Posed) -> dict[str, Any]:
    """What becomes of answers: of a number by where it lies, of places by their names.

    Returns:
        ``line`` and ``percent``: two lists, edges and what lies from one to the next;
        ``places``: by the places that were picked, "2,5", whatever is not in it is wrong;
        ``bet``: which option is right, and the idea of each other (``surprises`` says the rest);
        nothing of a goal.
    """
    kind = posed.question.kind
    if kind == "do":
        return {}  # its attempts say it
    if kind == "number":
        outcomes_ = {"line": _line(posed, in_percent=False)}
        share = posed.question.number == "share"
        return outcomes_ | ({"percent": _line(posed, in_percent=True)} if share else {})
    if kind == "bet":
        ideas = {str(place): name for name, place in posed.wrong.items()}
        return {"bet": {"right": posed.right, "ideas": ideas, "even": EVEN}}
    return {"places": _places(posed), "sorted": kind != "order"}


def ideas_of(posed: Posed) -> tuple[str, ...]:
    """The misconceptions that an answer can show."""
    every = WRONG_SIGN if posed.question.kind == "number" else ""
    return tuple(dict.fromkeys((*posed.wrong, *([every] if every else []))))


def _outcome(posed: Posed, answer: Any, *, in_percent: bool = False) -> str:
    marked = mark(posed, answer, in_percent=in_percent)
    assert marked is not None, f"{answer!r} is no answer to {posed.question.id}"
    return RIGHT if marked.right else marked.idea


def _places(posed: Posed) -> dict[str, str]:
    """By the places of an answer, what becomes of it; nothing of those that nobody knows."""
    answers: list[Any] = [[n] for n in range(len(posed.options))]
    if posed.question.kind != "choice" and not posed.question.one:
        answers_ = (posed.right, *posed.wrong.values())
        answers = [
            sorted(answer) if isinstance(answer, frozenset) else list(answer) for answer in answers_
        ]
    alone = posed.question.kind == "choice"
    outcomes_ = {
        ",".join(map(str, answer)): _outcome(posed, answer[0] if alone else answer)
        for answer in answers
        if answer
    }
    return {name: outcome for name, outcome in outcomes_.items() if outcome != NEITHER}


def _line(posed: Posed, *, in_percent: bool) -> list[list[Any]]:
    """The edges on the line of numbers, and what becomes of a number before and after each.

    Every comparison of the marking changes at one of the edges that are tried; where exactly, the
    marking itself says.
    """
    answers = [posed.right, *posed.wrong.values()]
    near = {n + side * tolerance_of(posed.question, n) for n in answers for side in (-1, 1)}
    near |= {-posed.right + side * tolerance_of(posed.question, posed.right) for side in (-1, 1)}
    tried = sorted({by * n for n in near | {0.01, -0.01} for by in (1, 100)})
    between = [(a + b) / 2 for a, b in itertools.pairwise(tried)]

    def outcome(number: float) -> str:
        return _outcome(posed, number, in_percent=in_percent)

    starts: list[float] = []
    outcomes_ = [outcome(tried[0] - 1)]
    for low, high in itertools.pairwise([tried[0] - 1, *between, tried[-1] + 1]):
        if outcome(high) != outcome(low):
            starts.append(_edge(outcome, low, high))
            outcomes_.append(outcome(high))
    return [starts, outcomes_]


def _edge(outcome: Callable[[float], Any], low: float, high: float) -> float:
    """The least number from which on it is as at ``high``, where it changes once."""
    last = outcome(high)
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if outcome(middle) == last else (middle, high)
    return high


@lru_cache(1)
def _spans() -> list[float]:
    """Shares from which on a surprise is said in other words, from the least that can be bet."""
    least, starts = 1 / (10 * STAKES), []

    def said(share: float) -> tuple[str, str]:
        return numbers_of(-math.log2(share))

    def halve(low: float, high: float, at_low: tuple[str, str], at_high: tuple[str, str]) -> None:
        if at_low == at_high:
            return
        if (high - low) < NARROW:
            starts.append(_edge(said, low, high))
            return
        middle = (low + high) / 2
        at_middle = said(middle)
        halve(low, middle, at_low, at_middle)
        halve(middle, high, at_middle, at_high)

    halve(least, 1.0, said(least), said(1.0))
    return [least, *starts]


def surprises() -> list[list[Any]]:
    """From which share of a bet on, and what is said of it: the share and its bits."""
    return [[start, *(surprise(-math.log2(start)) or ())] for start in _spans()]
