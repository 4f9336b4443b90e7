"""Questions posed on other data than before: another one, and those of the probes."""

from __future__ import annotations

from collections.abc import Collection

from core.lessons.naming import Facts
from core.lessons.posing import Posed, pose
from core.lessons.schema import Question

TRIED = 30  # seeds, for a question that was not asked yet
PROBES = {"before": 101, "after": 202}  # seeds


def pose_another(question: Question, names: Facts, seed: int, than: Collection[str]) -> Posed:
    """Draw a question that asks something else than others did, where the data allow it.

    Args:
        question: as the lesson has it.
        names: of the step's world.
        seed: the first that is tried; a few after it follow.
        than: what the others ask (``about``).

    Raises:
        NoQuestionError: no place makes a clear question.
        ExpressionError: the lesson says something that is not there.
    """
    posed = pose(question, names, seed)
    for later in range(seed + 1, seed + TRIED if question.draw else 0):
        if posed.about not in than:
            break
        posed = pose(question, names, later)
    return posed


def probe(question: Question, names: Facts, when: str, seed: int = 0) -> Posed:
    """A question as the probe before or after a lesson asks it: not as the lesson does at first.

    Args:
        question: as the lesson has it.
        names: of the step's world.
        when: "before" or "after".
        seed: by which the lesson asks it at first.

    Raises:
        NoQuestionError: no place makes a clear question.
        ExpressionError: the lesson says something that is not there.
    """
    posed = pose(question, names, seed)
    posed_before: set[str] = set()
    for offset in tuple(PROBES.values())[: 1 + list(PROBES).index(when)]:
        posed_before.add(posed.about)
        posed = pose_another(question, names, seed + offset, posed_before)
    return posed
