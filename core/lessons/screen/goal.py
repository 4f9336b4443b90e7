"""A goal on a screen: the controls beside its figure, and where her attempt stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.answers.names import Screen
from core.figures.components import Component
from core.language import _
from core.lessons.doing import AttemptStanding, attempt, near_of
from core.lessons.hands import Given, called, options_of, place_of
from core.lessons.marking import Marked
from core.lessons.schema import LessonStep, StepFigure
from core.lessons.screen.blocks import Block
from core.lessons.screen.figures import FiguresOfStep, controls, is_picked, scope_of
from core.lessons.screen.learner import Learner
from core.lessons.screen.questions import Open
from core.lessons.world import ShownFigure, params_of
from core.views import Control, get
from core.views.params import declared, written


def moved(learner: Learner, step: LessonStep, screen: Screen, deed: str) -> None:
    """Move the hands where a button says so: to what reaches the goal, or back to the start."""
    figure, question = _parts(step)
    start = dict.fromkeys(question.hands)
    if deed == "give":
        learner.set({**start, **question.done}, scope_of(screen, figure))
    if deed == "again":
        learner.set(start, scope_of(screen, figure))


def standing(
    learner: Learner,
    step: LessonStep,
    screen: Screen,
    task: Open,
    scene: FiguresOfStep,
    inputs: Given,
) -> AttemptStanding:
    """Where an attempt stands: each is marked as soon as it is made, and counts once.

    Args:
        learner: who asks for the screen.
        step: with a goal.
        screen: its screen.
        task: its question, on the figures as they were.
        scene: the figures as she has made them.
        inputs: by figure, what she put in.
    """
    answered, posed = task.answered, task.posed
    result, first = None, _first(step)
    hers = _hers(step, first, inputs)
    if scene.problem is None:
        result = attempt(posed.question, posed.names, scene.world.names)
    if result is not None and not answered.done:
        place = place_of(step, first, hers)
        if result.reached or (place is not None and place not in answered.attempts):
            idea = "" if place is None else result.idea
            marked = Marked(result.reached, idea)
            learner.study.tried(answered, marked, place, posed.question.wrong)
    if not answered.done and _is_outside(learner, step, screen):
        sentence = _("That is none of the choices here: take one of those beside the figure.")
        return AttemptStanding(None, moved=True, near=[[sentence, ""]])
    near = near_of(posed, result) if result is not None and hers else []
    return AttemptStanding(result, bool(hers), near)


def _parts(step: LessonStep) -> tuple[StepFigure, Any]:
    assert step.in_hand is not None
    assert step.question is not None
    return step.in_hand, step.question


def _is_outside(learner: Learner, step: LessonStep, screen: Screen) -> bool:
    """Whether she has picked in the figure what is none of the choices."""
    figure, question = _parts(step)
    cls, scope = get(figure.view).Params, scope_of(screen, figure)
    params, values = learner.read(cls, scope), learner.within(scope)
    for name in question.hands.keys() & values.keys():
        options = options_of(step, name)
        picked = options is not None and declared(cls, name).lives == "browser"
        if picked and getattr(params, name) not in (options or ()):
            return True
    return False


def _first(step: LessonStep) -> dict[str, Any]:
    """The hands as the lesson has them."""
    figure, question = _parts(step)
    params = params_of(figure, {})
    return {name: getattr(params, name) for name in question.hands}


def _hers(step: LessonStep, first: Mapping[str, Any], inputs: Given) -> dict[str, Any]:
    """What of the hands is not as the lesson has it."""
    figure, _question = _parts(step)
    changes = inputs.get(figure.name, {})
    return {
        name: changes[name] for name in first if name in changes and changes[name] != first[name]
    }


def hands(
    step: LessonStep, shown: ShownFigure, screen: Screen, scene: FiguresOfStep
) -> list[Block]:
    """The controls that a goal puts beside its figure; what is selected in it needs none.

    Args:
        step: of a lesson.
        shown: its figure, as she has made it.
        screen: the screen.
        scene: it and its neighbours.
    """
    if step.question is None or step.in_hand is None or shown.figure.name != step.in_hand.name:
        return []
    controls_, names = [], []
    for name in step.question.hands:
        options = options_of(step, name)
        if options is not None:
            words = [(written(value), called(step.question, name, n))
                     for n, value in enumerate(options)]  # fmt: skip
            controls_.append(Control(name, written(getattr(shown.params, name)), options=words))
        if options is not None or name == "token" or not is_picked(shown, name):
            names.append(name)
    return controls(shown, screen, names, scene, controls_)


def draws_on(step: LessonStep, shown: ShownFigure, component: Component | None) -> bool:
    """Whether a goal puts the pen for a figure into her hands."""
    figure, question = step.in_hand, step.question
    if question is None or figure is None or component is None:
        return False
    hand = question.hands.get(component.draws)
    return (
        figure.name in (shown.figure.name, shown.figure.follows)
        and hand is not None
        and hand.values is None
    )
