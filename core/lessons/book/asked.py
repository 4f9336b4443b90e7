"""A question as a book has it: as it is before an answer, and what is said to each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.lessons.answered import QuestionRecord
from core.lessons.asking_again import pose_another
from core.lessons.book.doing import UNTRIED
from core.lessons.book.outcomes import NEITHER, RIGHT, ideas_of, outcomes
from core.lessons.doing import AttemptStanding
from core.lessons.naming import Facts
from core.lessons.player import Asked, at_try, feedback, header, of_a_bet
from core.lessons.posing import Posed, pose
from core.lessons.schema import Question

SEEDS = 8  # on which a question is posed that draws its places


def chain(question: Question, names: Facts, seeds: int = SEEDS) -> Iterator[Posed]:
    """A question as it is posed first, and then each time that another one is wanted.

    Raises:
        NoQuestionError: no place makes a clear question.
    """
    posed = pose(question, names, 0)
    yield posed
    for _n in range(seeds - 1 if question.draw else 0):
        posed = pose_another(question, names, posed.seed + 1, {posed.about})
        yield posed


def unanswered(
    ident: str, posed: Posed, when: Asked, picks: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What its component is given first; the arguments are those of ``player.header``."""
    entry = QuestionRecord(seed=posed.seed, about=posed.about)
    return header(ident, posed, entry, when, picks, _stands(posed))


def _stands(posed: Posed) -> AttemptStanding | None:
    """Where a learner stands before any attempt at a goal; None for another question."""
    return UNTRIED if posed.question.kind == "do" else None


def answered(posed: Posed, when: Asked, picks: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What becomes of each answer, and what is said to it; with the holes {n}, {share}, {bits}.

    Args:
        posed: the question.
        when: as in ``player.header``.
        picks: the figure in which the answer can be seen.
    """
    question, hints = posed.question, when == "lesson"
    answers = {"ideas": sorted(question.wrong), "outcomes": outcomes(posed)}
    if when == "before":
        return answers | {
            "noted": header("", posed, QuestionRecord(tries=1), when)["marked"]["says"]
        }
    over = header("", posed, QuestionRecord(given_up=True, hints=len(question.hints)), when, picks,
                  _stands(posed))  # fmt: skip
    return answers | {
        **{name: over.get(name) for name in ("hints", "answer", "solution", "picks")},
        "says": _bet(posed) if question.kind == "bet" else _feedback_by_idea(posed, hints=hints),
        "right": at_try(1),
        "again": at_try("{n}"),
    }


def _feedback_by_idea(posed: Posed, *, hints: bool) -> dict[str, Any]:
    """By the idea that it shows, what is said to a wrong answer."""
    if posed.question.kind == "do":
        return {}  # what is said hangs on what she has made
    ideas = (NEITHER, *ideas_of(posed))
    return {
        idea: feedback(posed, QuestionRecord(tries=1, idea=idea), hints=hints) for idea in ideas
    }


def _bet(posed: Posed) -> dict[str, Any]:
    """By outcome, what is said to a bet, and to one that ruled out what is right."""
    sentences: dict[str, Any] = {}
    for outcome in (RIGHT, NEITHER, *posed.wrong):
        right, idea = outcome == RIGHT, "" if outcome == RIGHT else outcome
        sentences[outcome] = [
            of_a_bet(posed, right=right, idea=idea, surprise=surprise)
            for surprise in (None, ("{share}", "{bits}"))
        ]
    return sentences
