"""What a learner may change to reach a goal, and the figures of a step with that in her hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from core import views
from core.errors import ParameterError
from core.language import N_, Phrase, _
from core.lessons.question import ParameterHand
from core.lessons.schema import LessonStep, Question, StepFigure
from core.locale import Choice
from core.views.params import checked, declared

# Those with a field to write in.
TYPED = ("text", "hypothesis", "again", "vector", "liked_text", "gradients")
DONE = "done"  # under which texts know the figures once a goal is reached
Given = dict[str, dict[str, Any]]  # by figure, what it shows in place of the lesson's


class Later(Mapping[str, Any]):
    """Names that are worked out when the first of them is asked for."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._make = make

    @cached_property
    def _names(self) -> Mapping[str, Any]:
        return self._make()

    def __getitem__(self, name: str) -> Any:
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def handed(
    step: LessonStep,
    values: Mapping[str, Any],
    inputs: Mapping[str, Mapping[str, Any]] | None = None,
) -> Given:
    """By figure, what it shows when the hands have these values.

    Args:
        step: that has a goal.
        values: of the hands.
        inputs: what else the figures show in place of the lesson's.
    """
    figure_ = step.in_hand
    assert figure_ is not None
    values_ = {figure.name: dict((inputs or {}).get(figure.name, {})) for figure in step.figures}
    for figure in step.figures:
        if figure_.name in (figure.name, figure.follows):
            values_[figure.name] |= {
                name: value for name, value in values.items() if knows(figure, name)
            }
    return values_


def knows(figure: StepFigure, name: str) -> bool:
    """Whether a figure has a parameter of that name."""
    return name in views.get(figure.view).Params.__dataclass_fields__


def allowed(step: LessonStep, values: Mapping[str, Any]) -> dict[str, Any]:
    """Of what was chosen, what the hands may have: a link may say anything."""
    question = step.question
    if question is None or step.in_hand is None:
        return dict(values)
    values_ = dict(values)
    for name in question.hands.keys() & values.keys():
        options = options_of(step, name)
        if options is not None and values[name] not in options:
            del values_[name]
    return values_


def in_a_book(step: LessonStep) -> LessonStep:
    """A step with a goal whose free hands have the values that a book offers."""
    question = step.question
    if question is None or not question.offered:
        return step
    hands = {**question.hands, **question.offered}
    return step.model_copy(update={"question": question.model_copy(update={"hands": hands})})


def options_of(step: LessonStep, name: str) -> tuple[Any, ...] | None:
    """What a hand may be, as its parameter has it; None for all that its view takes.

    Raises:
        ParameterError: its view has no such parameter, or not with one of these values.
    """
    figure, question = step.in_hand, step.question
    assert figure is not None
    assert question is not None
    values, cls = question.hands[name].values, views.get(figure.view).Params
    if not knows(figure, name):
        names = Choice(sorted(cls.__dataclass_fields__))
        raise ParameterError("hands", name, Phrase(N_("one of {choices}"), choices=names))
    if values is None:
        return None
    return tuple(getattr(checked(cls, {name: value}), name) for value in values)


def is_closed(question: Question) -> bool:
    """Whether all that she may do is to choose from lists: then each choice counts as a try."""
    return all(hand.values for hand in question.hands.values())


def place_of(step: LessonStep, first: Mapping[str, Any], hers: Mapping[str, Any]) -> int | None:
    """Which of all attempts this is, counted; None of what is no whole attempt, or is not counted.

    Of several hands, as many must have been moved as the goal needs.

    Args:
        step: that has a goal.
        first: its hands as they were.
        hers: those that she has changed.
    """
    question = step.question
    assert question is not None
    needed = sum(type(first[name])(to) != first[name] for name, to in question.done.items())
    if not is_closed(question) or len(hers) < max(1, needed):
        return None
    place = 0
    for name in question.hands:
        options, value = options_of(step, name) or (), hers.get(name, first[name])
        option = options.index(value) if value in options else len(options)
        place = place * (len(options) + 1) + option
    return place


def is_typed(name: str, hand: ParameterHand) -> bool:
    """Whether a learner writes what is in her hands: all else is marked as soon as it is moved."""
    return hand.values is None and name in TYPED


def how_to_try(question: Question) -> str:
    """How a goal is tried, and whether tries count."""
    if is_closed(question):
        return _("Think first, then choose beside the figure: each choice counts as a try.")
    if any(is_typed(name, hand) for name, hand in question.hands.items()):
        return _("Change the text beside the figure and press “Check”, as often as you like.")
    return _("Try it at the figure, as often as you like. Each change is marked at once.")


def label(params: Any, name: str) -> str:
    """What a hand is called, as its control calls it."""
    return _(declared(params, name).label)


def called(question: Question, name: str, n: int) -> str:
    """What one of a hand's values is called."""
    hand = question.hands[name]
    if hand.words:
        return hand.words[n]
    return str((hand.values or ())[n])
