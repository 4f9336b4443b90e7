"""A goal on the live model: where an attempt stands.

Expressions of a goal know the figures as she has made them by their plain names, and as they were
under ``start.``; texts that are read once it is over know those of the solution under ``done.``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.errors import CoreError, ExpressionError
from core.lessons.expressions import evaluate
from core.lessons.inline import Parts
from core.lessons.naming import Facts
from core.lessons.schema import Question

if TYPE_CHECKING:
    from core.lessons.posing import Posed  # which asks here whether a goal is reached

START = "start"


@dataclass(frozen=True)
class Attempt:
    """Where an attempt at a goal stands.

    Attributes:
        names: what texts may say of it.
        reached: the goal is.
        idea: the first misconception that it shows; empty for none.
    """

    names: Facts
    reached: bool
    idea: str = ""


@dataclass(frozen=True)
class AttemptStanding:
    """What is said of an attempt.

    Attributes:
        attempt: where it stands; None of one that no model can read.
        moved: something is not as it was.
        near: where it stands, in words.
    """

    attempt: Attempt | None
    moved: bool
    near: Parts


def attempt(question: Question, start: Facts, now: Facts) -> Attempt:
    """Where an attempt stands; what cannot be said of a text that she wrote is not so.

    Args:
        question: of kind ``do``.
        start: the names of the step as it was.
        now: the same as she has made it.
    """
    names = now | {START: start}
    if _is_so(question.goal or "", names):
        return Attempt(names, reached=True)
    ideas = (name for name, wrong in question.wrong.items() if _is_so(str(wrong.answer), names))
    return Attempt(names, reached=False, idea=next(ideas, ""))


def near_of(posed: Posed, attempt_: Attempt) -> Parts:
    """How near an attempt is; nothing where a text of hers has no such place."""
    if posed.question.near is None:
        return []
    try:
        return replace(posed, names=attempt_.names).parts(posed.question.near)
    except CoreError:
        return []


def is_reached(question: Question, start: Facts, now: Facts) -> bool:
    """Whether the goal is reached.

    Raises:
        ExpressionError: it says something that is not there.
    """
    return bool(np.all(evaluate(question.goal or "", now | {START: start})))


def _is_so(expression: str, names: Facts) -> bool:
    try:
        return bool(np.all(evaluate(expression, names)))
    except ExpressionError:
        return False
