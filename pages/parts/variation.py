"""What a learner may change in the figures of a step, and what she has made of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import CoreError
from core.figures.components import Component
from core.language import name_of
from core.lessons.doing import START
from core.lessons.expressions import place_of
from core.lessons.hands import Given
from core.lessons.naming import Facts
from core.lessons.posing import Posed
from core.lessons.schema import Step
from core.lessons.varying import values_of
from core.lessons.world import Shown, World, params_of, world_of
from core.views.params import declared
from pages.parts import controls, state
from pages.parts.figure import result_of
from pages.parts.names import Screen
from pages.parts.runs import by_rank, can
from pages.parts.stage import drawn_of, scope_of


@dataclass(frozen=True, eq=False)
class Made:
    """The figures of a step as a learner has made them.

    Attributes:
        world: them, with their runs; where they cannot be run, those of the lesson, which are
            asked for what she put in.
        drawn: by figure, what may be seen of it.
        names: that they are drawn with.
        problem: why they cannot be shown; None as a rule.
    """

    world: World
    drawn: Mapping[str, Component | None]
    names: Mapping[str, Any]
    problem: CoreError | None = None


def made_of(
    now: Step, world: World, given: Given, names: Facts, posed: Posed | None, *, is_open: bool
) -> Made:
    """The figures of a step as a learner has made them.

    Args:
        now: the step.
        world: of it, as the lesson has it.
        given: by figure, what she has chosen in place of the lesson's; nothing while she has not.
        names: of the question that was posed.
        posed: the question.
        is_open: nothing is covered.
    """
    try:
        shown = world_of(now, result_of, given) if given else world
        if now.in_hand is not None:  # what is selected in a text of hers is one of its places
            names = shown.names | {START: names}
        return Made(shown, drawn_of(shown, names, posed, is_open=is_open), names)
    except CoreError as problem:
        asked = tuple(
            dataclasses.replace(one, params=params_of(one.figure, given.get(one.figure.name, {})))
            for one in world.shown
        )
        return Made(dataclasses.replace(world, shown=asked), {}, names, problem)


def offers(world: World, at: Screen) -> None:
    """The controls of a step's variation; the tokens of a text stand below their figure."""
    for one in world.shown:
        for name in one.figure.offers:
            if name != "token":
                offer(name, one, scope_of(at, one.figure))


def tokens(one: Shown, scope: str, names: Mapping[str, Any]) -> None:
    """The text's tokens side by side; the one that the learner picked is marked, or the lesson."""
    if one.trace is not None:
        labels = one.names["tokens"]
    else:  # the view itself knows them, and those that it made
        labels = [token.label for token in one.record.tokens[: one.record.n_prompt]]
    own = state.read(type(one.params), scope, follow=("token",)).token
    at = own if own >= 0 else place_of(one.figure.select.get("token", "-1"), names)
    params = dataclasses.replace(one.params, token=at if at >= 0 else len(labels) - 1)
    controls.choice("token", params, range(len(labels)), labels.__getitem__, scope=scope)


def offer(name: str, one: Shown, scope: str) -> None:
    """One control, of the kind that its parameter wants."""
    params, value = one.params, getattr(one.params, name)
    values = values_of(name, one)
    if isinstance(value, bool):
        controls.switch(name, params, scope=scope)
    elif name == "model":
        controls.choice(name, params, _models(one), name_of, scope=scope)
    elif values is not None:
        called = dict(values)
        controls.choice(name, params, list(called), called.__getitem__, scope=scope)
    elif isinstance(value, int) and _is_wide(params, name):
        controls.number(name, params, scope=scope)
    elif isinstance(value, int | float):
        controls.slider(name, params, step=0.05 if isinstance(value, float) else 1, scope=scope)
    else:
        controls.line(name, params, scope=scope)


def _models(one: Shown) -> list[str]:
    """The models to choose from: those that the figure compares, or all that can be shown in it."""
    compared = getattr(one.params, "machines", ())
    able = tuple(name for name in by_rank() if can(name, one.view.needs))
    return [name for name in compared if name in able] or list(able)


def _is_wide(params: Any, name: str) -> bool:
    """Whether a number has more values than a slider has stops: then it is typed."""
    said = declared(params, name)
    return said.low is not None and said.high is not None and said.high - said.low > controls.STOPS
