"""A goal on a screen: the controls beside its figure, and where her attempt stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.answers.names import Screen
from core.figures.components import Component
from core.language import _
from core.lessons.doing import Standing, attempt, near_of
from core.lessons.hands import Given, called, options_of, place_of
from core.lessons.marking import Marked
from core.lessons.schema import Figure, Step
from core.lessons.screen.blocks import Block
from core.lessons.screen.figures import Made, controls, is_picked, scope_of
from core.lessons.screen.learner import Learner
from core.lessons.screen.questions import Open
from core.lessons.world import Shown, params_of
from core.views import Control, get
from core.views.params import declared, written


def moved(learner: Learner, step: Step, at: Screen, deed: str) -> None:
    """Move the hands where a button says so: to what reaches the goal, or back to the start."""
    figure, question = _parts(step)
    start = dict.fromkeys(question.hands)
    if deed == "give":
        learner.set({**start, **question.done}, scope_of(at, figure))
    if deed == "again":
        learner.set(start, scope_of(at, figure))


def standing(
    learner: Learner, step: Step, at: Screen, here: Open, made: Made, given: Given
) -> Standing:
    """Where an attempt stands: each is marked as soon as it is made, and counts once.

    Args:
        learner: who asks for the screen.
        step: with a goal.
        at: its screen.
        here: its question, on the figures as they were.
        made: the figures as she has made them.
        given: by figure, what she put in.
    """
    answered, posed = here.answered, here.posed
    found, first = None, _first(step)
    hers = _hers(step, first, given)
    if made.problem is None:
        found = attempt(posed.question, posed.names, made.world.names)
    if found is not None and not answered.done:
        place = place_of(step, first, hers)
        if found.reached or (place is not None and place not in answered.attempts):
            idea = "" if place is None else found.idea
            marked = Marked(found.reached, idea)
            learner.study.tried(answered, marked, place, posed.question.wrong)
    if not answered.done and _is_outside(learner, step, at):
        said = _("That is none of the choices here: take one of those beside the figure.")
        return Standing(None, moved=True, near=[[said, ""]])
    near = near_of(posed, found) if found is not None and hers else []
    return Standing(found, bool(hers), near)


def _parts(step: Step) -> tuple[Figure, Any]:
    assert step.in_hand is not None
    assert step.question is not None
    return step.in_hand, step.question


def _is_outside(learner: Learner, step: Step, at: Screen) -> bool:
    """Whether she has picked in the figure what is none of the choices."""
    figure, question = _parts(step)
    cls, scope = get(figure.view).Params, scope_of(at, figure)
    own, values = learner.read(cls, scope), learner.within(scope)
    for name in question.hands.keys() & values.keys():
        options = options_of(step, name)
        picked = options is not None and declared(cls, name).lives == "browser"
        if picked and getattr(own, name) not in (options or ()):
            return True
    return False


def _first(step: Step) -> dict[str, Any]:
    """The hands as the lesson has them."""
    figure, question = _parts(step)
    params = params_of(figure, {})
    return {name: getattr(params, name) for name in question.hands}


def _hers(step: Step, first: Mapping[str, Any], given: Given) -> dict[str, Any]:
    """What of the hands is not as the lesson has it."""
    figure, _question = _parts(step)
    own = given.get(figure.name, {})
    return {name: own[name] for name in first if name in own and own[name] != first[name]}


def hands(step: Step, one: Shown, at: Screen, made: Made) -> list[Block]:
    """The controls that a goal puts beside its figure; what is selected in it needs none.

    Args:
        step: of a lesson.
        one: its figure, as she has made it.
        at: the screen.
        made: it and its neighbours.
    """
    if step.question is None or step.in_hand is None or one.figure.name != step.in_hand.name:
        return []
    own, names = [], []
    for name in step.question.hands:
        options = options_of(step, name)
        if options is not None:
            words = [(written(value), called(step.question, name, n))
                     for n, value in enumerate(options)]  # fmt: skip
            own.append(Control(name, written(getattr(one.params, name)), options=words))
        if options is not None or name == "token" or not is_picked(one, name):
            names.append(name)
    return controls(one, at, names, made, own)


def draws_on(step: Step, one: Shown, component: Component | None) -> bool:
    """Whether a goal puts the pen for a figure into her hands."""
    own, question = step.in_hand, step.question
    if question is None or own is None or component is None:
        return False
    hand = question.hands.get(component.draws)
    return (
        own.name in (one.figure.name, one.figure.follows)
        and hand is not None
        and hand.values is None
    )
