"""The figures of a step on a screen: whole, or with what is covered left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from core.answers.names import Screen, in_words
from core.errors import CoreError
from core.figures.components import Component, Picture
from core.language import name_of
from core.lessons import player
from core.lessons.cover import before_answer
from core.lessons.doing import START
from core.lessons.expressions import place_of
from core.lessons.hands import Given, allowed
from core.lessons.naming import Facts
from core.lessons.posing import Posed
from core.lessons.schema import Figure, Step
from core.lessons.screen.blocks import Block, Parts, drawn, hidden
from core.lessons.screen.learner import Learner
from core.lessons.varying import offered, values_of
from core.lessons.world import Shown, World, params_of, world_of
from core.shelf.abilities import by_rank, can, cannot_read, sizes, translates
from core.views import Control, get
from core.views.controls import controls_of
from core.views.params import Problem, between, declared, parse, written

STOPS = 1000  # of a slider: a number with more of them is typed


@dataclasses.dataclass(frozen=True, eq=False)
class Made:
    """The figures of a step as she has made them.

    Attributes:
        world: them, with their runs; where they cannot be run, those of the lesson, which are
            asked for what she put in.
        drawn: by figure, what may be seen of it; None for its place alone.
        names: that they are drawn with.
        problem: why they cannot be shown; None as a rule.
    """

    world: World
    drawn: Mapping[str, Component | None]
    names: Mapping[str, Any]
    problem: CoreError | None = None


def scope_of(at: Screen, figure: Figure) -> str:
    """Whose selection a figure shares."""
    return f"{at}{figure.follows or figure.name}"


def key_of(at: Screen, name: str) -> str:
    """Tells a figure from others."""
    return f"lesson-{at}{name}"


def own_text(learner: Learner, step: Step) -> Given:
    """By figure, her own sentence where she has typed one and the step can take it."""
    own, abroad = learner.own, learner.abroad

    def hers(figure: Figure) -> str:
        model = getattr(params_of(figure, {}), "model", "")
        if model and translates(model):
            return abroad or ("" if cannot_read(model, own) else own)
        return "" if own == abroad else own

    fits = not learner.unfit
    taken = {one.name: hers(one) if one.own and fits else "" for one in step.figures}
    return {name: {"text": text} if text else {} for name, text in taken.items()}


def chosen(learner: Learner, step: Step, at: Screen) -> Given:
    """By figure, what she has chosen there in place of the lesson's."""
    in_hand = step.question.hands.keys() if step.question is not None else ()
    found: Given = {}
    for figure in step.figures:
        cls, values = get(figure.view).Params, learner.within(scope_of(at, figure))
        own, problems = parse(cls, _fitting(figure, values))
        wrong = {one.name for one in problems}
        names = {field.name for field in dataclasses.fields(cls)} & values.keys() - wrong
        found[figure.name] = allowed(step, {
            name: getattr(own, name) for name in names
            if declared(cls, name).lives == "server" or name in in_hand
        })  # fmt: skip
    return found


def wrong(learner: Learner, step: Step, at: Screen) -> list[str]:
    """What a link says of the figures that cannot be, in sentences."""
    found: list[Problem] = []
    for figure in step.figures:
        values = learner.within(scope_of(at, figure))
        fitting = _fitting(figure, values)
        found += [Problem(name, values[name], between(0, int(used)), used)
                  for name, used in fitting.items() if used != values[name]]  # fmt: skip
        found += parse(get(figure.view).Params, fitting)[1]
    return list(dict.fromkeys(one.sentence(in_words(one.name)) for one in found))


def _fitting(figure: Figure, values: Mapping[str, str]) -> dict[str, str]:
    """What a link says, at most as large as the figure's model."""
    model = getattr(params_of(figure, {}), "model", "")
    most = sizes(model, get(figure.view).Params) if model else {}
    return {
        name: str(most[name]) if name in most and _is_above(value, most[name]) else value
        for name, value in values.items()
    }


def _is_above(value: str, most: int) -> bool:
    digits = value if value.isascii() and value.isdecimal() else ""
    return bool(digits) and (len(digits.lstrip("0")) > len(str(most)) or int(digits) > most)


def made_of(
    learner: Learner, step: Step, world: World, given: Given, names: Facts, posed: Posed | None,
    *, is_open: bool,
) -> Made:  # fmt: skip
    """The figures of a step as she has made them.

    Args:
        learner: who asks for the screen.
        step: of a lesson.
        world: of it, as the lesson has it.
        given: by figure, what she has chosen in place of the lesson's; nothing while she has not.
        names: of the question that was posed.
        posed: the question.
        is_open: nothing is covered.
    """
    try:
        now = world_of(step, learner.answer, given) if given else world
        if step.in_hand is not None:  # what is selected in a text of hers is one of its places
            names = now.names | {START: names}
        return Made(now, drawn_of(now, names, posed, is_open=is_open), names)
    except CoreError as problem:
        asked = tuple(
            dataclasses.replace(one, params=params_of(one.figure, given.get(one.figure.name, {})))
            for one in world.shown
        )
        return Made(dataclasses.replace(world, shown=asked), {}, names, problem)


def drawn_of(
    world: World, names: Mapping[str, Any], posed: Posed | None, *, is_open: bool
) -> dict[str, Component | None]:
    """By figure, what may be seen of it now; None for nothing but its place."""
    question = None if posed is None else posed.question
    return {
        one.figure.name: one.component(names).up_to_now()
        if is_open
        else before_answer(one, names, question)
        for one in world.shown
    }


def picks(posed: Posed, drawn: Mapping[str, Component | None], at: Screen) -> dict[str, Any] | None:
    """The figure in which the answer is picked; None where it is picked below the question."""
    name = posed.question.figure
    return None if name is None else player.picks(posed, drawn[name], key_of(at, name))


def figure(
    learner: Learner, one: Shown, at: Screen, made: Made, parts: Parts, *, is_open: bool,
    draws: bool = False,
) -> Block:  # fmt: skip
    """A figure in its place, or what may be seen of it.

    Args:
        learner: who asks for the screen.
        one: the figure.
        at: its screen.
        made: it and its neighbours, as she has made them.
        parts: of the screen.
        is_open: nothing is covered.
        draws: she may draw on it.
    """
    own, component, key = one.figure, made.drawn[one.figure.name], key_of(at, one.figure.name)
    if component is None:
        return hidden(key, "" if own.cover == "place" else one.component(made.names).title)
    if not is_open and own.cover:
        return drawn(one, component, parts, key=key, scope=scope_of(at, own))
    more: dict[str, Any] = {"lesson": True, "toggles": ""}  # a click selects, and marks nothing
    if draws:
        acts = {component.draws: {"*": {component.draws: "{}"}}}
        more = {"lesson": True, "draws": True, "acts": acts}
    if own.cover != "ahead":  # a file of a map has no way, so all of it is open there
        more["save"] = learner.app.files_of(one.view, one.params, learner.device)
    return drawn(one, component, parts, key=key, scope=scope_of(at, own),
                 record=one.chosen(made.names), **more)  # fmt: skip


def offers(one: Shown, at: Screen, made: Made) -> list[Block]:
    """The controls of a step's variation; the tokens of a text stand below their figure."""
    names = [name for name in offered(one) if name != "token"]
    return controls(one, at, names, made)


def tokens(one: Shown, at: Screen, made: Made) -> list[Block]:
    """The text's tokens side by side, below a figure that offers them."""
    return controls(one, at, ["token"], made) if "token" in one.figure.offers else []


def controls(
    one: Shown, at: Screen, names: list[str], made: Made, hands: list[Control] | None = None
) -> list[Block]:
    """Controls of a figure.

    Args:
        one: the figure.
        at: its screen.
        names: of the parameters.
        made: it and its neighbours.
        hands: those whose values the lesson names.
    """
    said = {control.name: control for control in hands or []}
    for name in names:
        if name not in said and (found := _control(one, name, made)) is not None:
            said[name] = found
    blueprint = None if one.trace is None else one.trace.blueprint
    known = {control["name"]: control
             for control in controls_of(one.params, list(said.values()), blueprint)}  # fmt: skip
    typed = [name for name in names if name not in said and _is_wide(one.params, name)]
    wanted = [{"name": name} | ({"kind": "number"} if name in typed else {})
              for name in names if name in known]  # fmt: skip
    if not wanted:
        return []
    shown = [known[field["name"]] for field in wanted]
    scope = scope_of(at, one.figure)
    key = "-".join((scope, *names))
    return [{"kind": "controls", "key": key, "scope": scope, "fields": wanted, "controls": shown}]


def _control(one: Shown, name: str, made: Made) -> Control | None:
    """One control, where its parameter does not say all of it."""
    value = getattr(one.params, name)
    if name == "text":  # which elsewhere is the whole page's
        return Control(name, value, "line")
    if name == "token":
        return _of_tokens(one, made)
    if name == "model":
        return Control(name, value, options=[(model, name_of(model)) for model in _models(one)])
    if isinstance(value, bool):
        return None
    values = values_of(name, one)
    if values is None:
        return None
    return Control(name, written(value), options=[(written(v), called) for v, called in values])


def _of_tokens(one: Shown, made: Made) -> Control:
    """The tokens of a text; the one that she picked is marked, or the lesson's."""
    if one.trace is not None:
        labels = one.names["tokens"]
    else:  # the view itself knows them, and those that it made
        labels = [token.label for token in one.record.tokens[: one.record.n_prompt]]
    own = one.params.token
    at = own if own >= 0 else place_of(one.figure.select.get("token", "-1"), made.names)
    at = at if at >= 0 else len(labels) - 1
    return Control("token", str(at), options=[(str(n), label) for n, label in enumerate(labels)])


def _models(one: Shown) -> list[str]:
    """The models to choose from: those that the figure compares, or all that can be shown in it."""
    compared = getattr(one.params, "machines", ())
    able = tuple(name for name in by_rank() if can(name, one.view.needs))
    return [name for name in compared if name in able] or list(able)


def _is_wide(params: Any, name: str) -> bool:
    """Whether a number has more values than a slider has stops: then it is typed."""
    said, value = declared(params, name), getattr(params, name)
    if not isinstance(value, int) or isinstance(value, bool) or name == "token":
        return False
    return said.low is not None and said.high is not None and said.high - said.low > STOPS


def is_picked(one: Shown, name: str) -> bool:
    """Whether it is chosen in the figure itself: a mask that is painted, a unit, a picture."""
    said = declared(one.params, name)
    listed = name in ("layer", "head") or said.part is not None or said.choices is not None
    return said.lives == "browser" or name == Picture.draws or (said.picked and not listed)
