"""A goal of a lesson on the page: the controls beside the figure, and where her attempt stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core import views
from core.figures.components import Component, Picture
from core.language import _
from core.lessons.answered import Answered
from core.lessons.doing import Standing, attempt, near_of
from core.lessons.hands import Given, called, options_of, place_of
from core.lessons.marking import Marked
from core.lessons.posing import Posed
from core.lessons.schema import Step
from core.lessons.world import Shown, params_of
from core.views.params import Declared, declared
from pages.parts import controls, state
from pages.parts.names import Screen
from pages.parts.pictures import draw
from pages.parts.stage import scope_of
from pages.parts.study import own_study
from pages.parts.variation import Made, offer, tokens

Acts = Mapping[str, Callable[[], None]]  # by what a button says


@dataclass(frozen=True)
class Attempted:
    """What a question that is a goal says and does.

    Attributes:
        stands: where the attempt stands.
        acts: what else is done with a click on one of its buttons.
    """

    stands: Standing
    acts: Acts


def attempted(
    now: Step, at: Screen, posed: Posed | None, answered: Answered | None, made: Made, given: Given
) -> Attempted | None:
    """What a goal says of her attempt; None of a step without one. One that reaches it answers it.

    Args:
        now: the step.
        at: its screen.
        posed: its question, on the figures as they were.
        answered: her entry.
        made: the figures as she has made them.
        given: by figure, what she put in.
    """
    if posed is None or answered is None or now.in_hand is None:
        return None
    stands = _standing(now, posed, answered, made, given)
    if not answered.done and _is_outside(now, at):
        said = _("That is none of the choices here: take one of those beside the figure.")
        stands = Standing(None, moved=True, near=[[said, ""]])
    return Attempted(stands, _acts(now, at, posed))


def _is_outside(now: Step, at: Screen) -> bool:
    """Whether she has picked in the figure what is none of the choices."""
    figure, question = now.in_hand, now.question
    assert figure is not None
    assert question is not None
    scope, cls = scope_of(at, figure), views.get(figure.view).Params
    own = state.read(cls, scope, follow=question.hands)
    for name in question.hands:
        options = options_of(now, name)
        if options is None or declared(cls, name).lives != "browser":
            continue
        if state.chosen(state.in_scope(name, scope)) and getattr(own, name) not in options:
            return True
    return False


def _standing(now: Step, posed: Posed, answered: Answered, made: Made, given: Given) -> Standing:
    """Where an attempt stands: each is marked as soon as it is made, and counts once."""
    found, first = None, _first(now)
    hers = _hers(now, first, given)
    if made.problem is None:
        found = attempt(posed.question, posed.names, made.world.names)
    # A page that is loaded anew has its hands before it hears that the answer was asked for.
    if found is not None and not answered.done and own_study().known:
        place = place_of(now, first, hers)
        if found.reached or (place is not None and place not in answered.attempts):
            idea = "" if place is None else found.idea
            own_study().tried(answered, Marked(found.reached, idea), place, posed.question.wrong)
    near = near_of(posed, found) if found is not None and hers else []
    return Standing(found, bool(hers), near)


def _acts(now: Step, at: Screen, posed: Posed) -> Acts:
    """What the buttons of the question do besides: they move the hands."""
    figure = now.in_hand
    assert figure is not None
    scope, question = scope_of(at, figure), posed.question
    start = dict.fromkeys(question.hands)
    return {
        "answer": lambda: None,  # what is in her hands is marked, nothing that is sent
        "give": partial(state.update, {**start, **question.done}, scope=scope),
        "again": partial(state.update, start, scope=scope),
    }


def _first(now: Step) -> dict[str, Any]:
    """The hands as the lesson has them."""
    figure, question = now.in_hand, now.question
    assert figure is not None
    assert question is not None
    params = params_of(figure, {})
    return {name: getattr(params, name) for name in question.hands}


def _hers(now: Step, first: Mapping[str, Any], given: Given) -> dict[str, Any]:
    """What of the hands is not as the lesson has it."""
    figure = now.in_hand
    assert figure is not None
    own = given.get(figure.name, {})
    return {name: own[name] for name in first if name in own and own[name] != first[name]}


def hands(now: Step, one: Shown, at: Screen) -> None:
    """The controls that a goal puts beside its figure; what the browser selects needs none.

    Args:
        now: the step.
        one: the figure, as she has made it.
        at: the screen.
    """
    question, own = now.question, now.in_hand
    if question is None or own is None or one.figure.name != own.name:
        return
    scope = scope_of(at, one.figure)
    with st.container(key="lesson-hands", horizontal=_side_by_side(now)):
        for name in question.hands:
            options = options_of(now, name)
            if options is not None:
                words = {one: called(question, name, n) for n, one in enumerate(options)}
                controls.choice(name, one.params, options, words.__getitem__, scope=scope)
            elif name == "token":
                tokens(one, scope, one.names)
            elif not _is_picked(declared(one.params, name), name):
                offer(name, one, scope)


def drawn_on(now: Step, one: Shown, at: Screen, component: Component | None) -> Mapping[str, Any]:
    """What lets a figure be drawn on, where a goal puts the pen into her hands.

    Args:
        now: the step.
        one: the figure, as she has made it.
        at: the screen.
        component: that is drawn.
    """
    own, question = now.in_hand, now.question
    if question is None or own is None or component is None:
        return {}
    led = own.name in (one.figure.name, one.figure.follows)
    hand = question.hands.get(component.draws)
    if not led or hand is None or hand.values is not None:
        return {}
    on = {component.draws: partial(draw, scope=scope_of(at, one.figure))}
    return {"on": on, "more": {"draws": True}}


def _side_by_side(now: Step) -> bool:
    """Whether its controls are rows of a few values: a field takes all the width."""
    return now.question is not None and all(one.values for one in now.question.hands.values())


def _is_picked(said: Declared, name: str) -> bool:
    """Whether it is chosen in the figure itself: a mask that is painted, a unit, a picture."""
    listed = name in ("layer", "head") or said.part is not None or said.choices is not None
    drawn = name == Picture.draws
    return said.lives == "browser" or drawn or (said.picked and not listed)
