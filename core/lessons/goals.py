"""What must be true of a goal before it ships: it can be reached, and its ideas can be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.errors import CoreError
from core.lessons.doing import attempt, is_reached
from core.lessons.expressions import evaluate
from core.lessons.filling import fill
from core.lessons.hands import DONE, handed, in_a_book, options_of
from core.lessons.naming import Names
from core.lessons.schema import LessonStep, Question
from core.lessons.world import Answer, World, params_of, world_of


def of_a_goal(step: LessonStep, world: World, answer: Answer) -> Iterator[str]:
    """What is amiss with the goal of a step; nothing of a step without one.

    Args:
        step: of a lesson.
        world: of it, as it begins.
        answer: carries a request out.
    """
    question = step.question
    if question is None or step.in_hand is None:
        return
    for name in question.hands:
        options = options_of(step, name)
        yield from _not_among(question, name, options, ())
    for name in question.offered:
        options = options_of(in_a_book(step), name)
        first = getattr(params_of(step.in_hand, {}), name)
        yield from _not_among(question, name, options, ({name: first},))
    try:
        yield from _of_attempts(step, question, world, answer)
    except CoreError as problem:
        yield f"question {question.id}: {problem}"


def _not_among(
    question: Question,
    name: str,
    options: Sequence[Any] | None,
    more: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """Values that a hand must have, and has not."""
    for values in (question.done, *(wrong.attempt for wrong in question.wrong.values()), *more):
        if options is not None and name in values and values[name] not in options:
            yield f"question {question.id}: {name} = {values[name]!r} is not among its values"


def _of_attempts(
    step: LessonStep, question: Question, world: World, answer: Answer
) -> Iterator[str]:
    clashing = world.shown[0].values.keys() & {"start", DONE}
    if clashing:
        yield f"question {question.id}: {min(clashing)} is a value of its figure, too"
    reached = _names_after(step, question.done, answer)
    if not is_reached(question, world.names, reached):
        yield f"question {question.id}: what is done does not reach its goal"
    _check_text(question.near, world.names, reached)
    for name, wrong in question.wrong.items():
        now = _names_after(step, wrong.attempt, answer)
        _check_text(wrong.says, world.names, now)
        _check_text(question.near, world.names, now)
        evaluate(str(wrong.answer), attempt(question, world.names, now).names)
        if not wrong.attempt:
            continue
        result = attempt(question, world.names, now)
        if result.reached:
            yield f"question {question.id}: the attempt of {name} reaches its goal"
        elif result.idea != name:
            yield f"question {question.id}: {name} is not recognised in its attempt"


def _names_after(step: LessonStep, values: Mapping[str, Any], answer: Answer) -> Names:
    return world_of(step, answer, handed(step, values)).names


def _check_text(text: str | None, start: Names, now: Names) -> None:
    """Fill a text that is said to an attempt.

    Raises:
        ExpressionError: it says something that is not there.
    """
    fill(text or "", now | {"start": start})
