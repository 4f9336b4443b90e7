"""A goal in a book: every attempt that can be made there, worked out beforehand.

Where the hands are free, a lesson may offer values for a book. Where it offers none, or they make
more than a few dozen attempts, two are shown, as it is and as it is done; the app lets her do it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import CoreError
from core.language import _
from core.lessons.doing import START, AttemptStanding, attempt, near_of
from core.lessons.hands import called, handed, in_a_book, label, options_of
from core.lessons.naming import Facts
from core.lessons.player import said_of
from core.lessons.posing import Posed
from core.lessons.schema import LessonStep
from core.lessons.world import Answer, World, params_of, world_of

MOST = 24  # attempts that are worked out
ONLY, DONE = "", "done"  # the two that are shown where the others are too many
UNTRIED = AttemptStanding(None, moved=False, near=[])


@dataclass(frozen=True)
class Hands:
    """What can be changed on a step of a book.

    Attributes:
        controls: each with its label and what its values are called, and of whole numbers, which
            may be picked in the figure, the values.
        values: of the hands, by the name of the attempt: the places of what was chosen.
        start: the attempt as which it begins.
        done: the one that reaches the goal.
    """

    controls: list[dict[str, Any]]
    values: Mapping[str, Mapping[str, Any]]
    start: str
    done: str


def hands_of(step: LessonStep) -> Hands:
    """What can be changed on a step with a goal.

    Raises:
        ParameterError: the lesson says something that is not there.
    """
    step = in_a_book(step)
    question, figure = step.question, step.in_hand
    assert question is not None
    assert figure is not None
    params = params_of(figure, {})
    first = {name: getattr(params, name) for name in question.hands}
    every = {name: options_of(step, name) for name in question.hands}
    last = {**first, **{name: type(first[name])(value) for name, value in question.done.items()}}
    finite = {name: values for name, values in every.items() if values is not None}
    is_complete = len(finite) == len(every) and math.prod(map(len, finite.values())) <= MOST
    if not is_complete or any(
        values[name] not in finite[name] for values in (first, last) for name in values
    ):
        return Hands([], {ONLY: {}, DONE: question.done}, ONLY, DONE)

    def named(values: Mapping[str, Any]) -> str:
        return ",".join(str(finite[name].index(values[name])) for name in finite)

    controls = [
        {
            "name": name,
            "label": label(params, name),
            "options": [called(question, name, n) for n in range(len(values))],
            "values": [value if isinstance(value, int) else None for value in values],
        }
        for name, values in finite.items()
    ]
    choices = (
        dict(zip(finite, choice, strict=True)) for choice in itertools.product(*finite.values())
    )
    return Hands(controls, {named(choice): choice for choice in choices}, named(first), named(last))


@dataclass(frozen=True)
class BookAttempt:
    """An attempt at a goal, and what the book shows and says to it.

    Attributes:
        name: of it.
        world: of the step as it is then; None where it cannot be run.
        names: that it is drawn with.
        near: where it stands, in words.
        outcome: whether it reaches the goal, else its idea and what is said to it.
    """

    name: str
    world: World | None
    names: Facts
    near: Any
    outcome: dict[str, Any]


def tried(step: LessonStep, hands: Hands, posed: Posed, answer: Answer) -> Iterator[BookAttempt]:
    """Every attempt that can be made.

    Args:
        step: with a goal.
        hands: of it.
        posed: its question.
        answer: carries a request out.
    """
    for name, values in hands.values.items():
        try:
            world = world_of(step, answer, handed(step, values))
        except CoreError as problem:
            sentences = [[problem.sentence(), ""]]
            yield BookAttempt(
                name, None, {}, sentences, {"reached": False, "idea": "", "says": sentences}
            )
            continue
        result = attempt(posed.question, posed.names, world.names)
        says = said_of(posed, result)
        near = near_of(posed, result) if name != hands.start else []
        outcome = {"reached": result.reached, "idea": result.idea, "says": says}
        names = world.names | {START: posed.names}
        yield BookAttempt(name, world, names, near, outcome)


def unmade(posed: Posed, header: dict[str, Any], hands: Hands) -> dict[str, Any]:
    """The header of a question of which the book shows the beginning and the end alone."""
    if posed.question.kind != "do":
        return header
    header = {**header, "typed": None}  # a book has no model that could read it
    if hands.controls:
        return header
    text = _("The book cannot run the model, so it shows this instead: press “Show the answer”. "
             "In the app you can do it.")  # fmt: skip
    return {**header, "labels": {**header["labels"], "wanted": text}}
