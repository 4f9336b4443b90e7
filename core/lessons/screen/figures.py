"""The figures of a step on a screen: whole, or with what is covered left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from core.answers.names import Screen, in_words
from core.errors import CoreError
from core.figures.components import Component, PictureFigure
from core.language import name_of
from core.lessons import player
from core.lessons.cover import before_answer
from core.lessons.doing import START
from core.lessons.expressions import place_of
from core.lessons.hands import Given, allowed
from core.lessons.naming import Facts
from core.lessons.posing import Posed
from core.lessons.schema import LessonStep, StepFigure
from core.lessons.screen.blocks import Block, Parts, figure_block, hidden
from core.lessons.screen.learner import Learner
from core.lessons.varying import offered, values_of
from core.lessons.world import ShownFigure, World, params_of, world_of
from core.shelf.abilities import by_rank, can, cannot_read, sizes, translates
from core.views import Control, get
from core.views.controls import controls_of
from core.views.params import Problem, between, declared, parse, written

STOPS = 1000  # of a slider: a number with more of them is typed


@dataclasses.dataclass(frozen=True, eq=False)
class FiguresOfStep:
    """The figures of a step as she has made them.

    Attributes:
        world: them, with their runs; where they cannot be run, those of the lesson, which are
            asked for what she put in.
        components: by figure, what may be seen of it; None for its place alone.
        names: that they are drawn with.
        problem: why they cannot be shown; None as a rule.
    """

    world: World
    components: Mapping[str, Component | None]
    names: Mapping[str, Any]
    problem: CoreError | None = None


def scope_of(screen: Screen, figure: StepFigure) -> str:
    """Whose selection a figure shares."""
    return f"{screen}{figure.follows or figure.name}"


def key_of(screen: Screen, name: str) -> str:
    """Tells a figure from others."""
    return f"lesson-{screen}{name}"


def own_text(learner: Learner, step: LessonStep) -> Given:
    """By figure, her own sentence where she has typed one and the step can take it."""
    typed, abroad = learner.sentence, learner.abroad

    def hers(figure: StepFigure) -> str:
        model = getattr(params_of(figure, {}), "model", "")
        if model and translates(model):
            return abroad or ("" if cannot_read(model, typed) else typed)
        return "" if typed == abroad else typed

    fits = not learner.unfit
    texts = {figure.name: hers(figure) if figure.own and fits else "" for figure in step.figures}
    return {name: {"text": text} if text else {} for name, text in texts.items()}


def chosen(learner: Learner, step: LessonStep, screen: Screen) -> Given:
    """By figure, what she has chosen there in place of the lesson's."""
    in_hand = step.question.hands.keys() if step.question is not None else ()
    inputs: Given = {}
    for figure in step.figures:
        cls, values = get(figure.view).Params, learner.within(scope_of(screen, figure))
        params, problems = parse(cls, _fitting(figure, values))
        wrong = {problem.name for problem in problems}
        names = {field.name for field in dataclasses.fields(cls)} & values.keys() - wrong
        inputs[figure.name] = allowed(step, {
            name: getattr(params, name) for name in names
            if declared(cls, name).lives == "server" or name in in_hand
        })  # fmt: skip
    return inputs


def wrong(learner: Learner, step: LessonStep, screen: Screen) -> list[str]:
    """What a link says of the figures that cannot be, in sentences."""
    problems: list[Problem] = []
    for figure in step.figures:
        values = learner.within(scope_of(screen, figure))
        fitting = _fitting(figure, values)
        problems += [Problem(name, values[name], between(0, int(used)), used)
                     for name, used in fitting.items() if used != values[name]]  # fmt: skip
        problems += parse(get(figure.view).Params, fitting)[1]
    return list(dict.fromkeys(problem.sentence(in_words(problem.name)) for problem in problems))


def _fitting(figure: StepFigure, values: Mapping[str, str]) -> dict[str, str]:
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
    learner: Learner, step: LessonStep, world: World, inputs: Given, names: Facts,
    posed: Posed | None, *, is_open: bool,
) -> FiguresOfStep:  # fmt: skip
    """The figures of a step as she has made them.

    Args:
        learner: who asks for the screen.
        step: of a lesson.
        world: of it, as the lesson has it.
        inputs: by figure, what she has chosen in place of the lesson's; nothing while she has not.
        names: of the question that was posed.
        posed: the question.
        is_open: nothing is covered.
    """
    try:
        now = world_of(step, learner.answer, inputs) if inputs else world
        if step.in_hand is not None:  # what is selected in a text of hers is one of its places
            names = now.names | {START: names}
        return FiguresOfStep(now, drawn_of(now, names, posed, is_open=is_open), names)
    except CoreError as problem:
        figures = tuple(
            dataclasses.replace(
                shown, params=params_of(shown.figure, inputs.get(shown.figure.name, {}))
            )
            for shown in world.shown
        )
        return FiguresOfStep(dataclasses.replace(world, shown=figures), {}, names, problem)


def drawn_of(
    world: World, names: Mapping[str, Any], posed: Posed | None, *, is_open: bool
) -> dict[str, Component | None]:
    """By figure, what may be seen of it now; None for nothing but its place."""
    question = None if posed is None else posed.question
    return {
        shown.figure.name: shown.component(names).up_to_now()
        if is_open
        else before_answer(shown, names, question)
        for shown in world.shown
    }


def picks(
    posed: Posed, components: Mapping[str, Component | None], screen: Screen
) -> dict[str, Any] | None:
    """The figure in which the answer is picked; None where it is picked below the question."""
    name = posed.question.figure
    return None if name is None else player.picks(posed, components[name], key_of(screen, name))


def figure(
    learner: Learner, shown: ShownFigure, screen: Screen, scene: FiguresOfStep, parts: Parts, *,
    is_open: bool, draws: bool = False,
) -> Block:  # fmt: skip
    """A figure in its place, or what may be seen of it.

    Args:
        learner: who asks for the screen.
        shown: the figure.
        screen: its screen.
        scene: it and its neighbours, as she has made them.
        parts: of the screen.
        is_open: nothing is covered.
        draws: she may draw on it.
    """
    figure_, component, key = (
        shown.figure,
        scene.components[shown.figure.name],
        key_of(screen, shown.figure.name),
    )
    if component is None:
        return hidden(key, "" if figure_.cover == "place" else shown.component(scene.names).title)
    if not is_open and figure_.cover:
        return figure_block(shown, component, parts, key=key, scope=scope_of(screen, figure_))
    more: dict[str, Any] = {"lesson": True, "toggles": ""}  # a click selects, and marks nothing
    if draws:
        acts = {component.draws: {"*": {component.draws: "{}"}}}
        more = {"lesson": True, "draws": True, "acts": acts}
    if figure_.cover != "ahead":  # a file of a map has no way, so all of it is open there
        more["save"] = learner.app.files_of(shown.view, shown.params, learner.device)
    return figure_block(shown, component, parts, key=key, scope=scope_of(screen, figure_),
                        record=shown.chosen(scene.names), **more)  # fmt: skip


def offers(shown: ShownFigure, screen: Screen, scene: FiguresOfStep) -> list[Block]:
    """The controls of a step's variation; the tokens of a text stand below their figure."""
    names = [name for name in offered(shown) if name != "token"]
    return controls(shown, screen, names, scene)


def tokens(shown: ShownFigure, screen: Screen, scene: FiguresOfStep) -> list[Block]:
    """The text's tokens side by side, below a figure that offers them."""
    return controls(shown, screen, ["token"], scene) if "token" in shown.figure.offers else []


def controls(
    shown: ShownFigure,
    screen: Screen,
    names: list[str],
    scene: FiguresOfStep,
    hands: list[Control] | None = None,
) -> list[Block]:
    """Controls of a figure.

    Args:
        shown: the figure.
        screen: its screen.
        names: of the parameters.
        scene: it and its neighbours.
        hands: those whose values the lesson names.
    """
    by_name = {control.name: control for control in hands or []}
    for name in names:
        if name not in by_name and (control_ := _control(shown, name, scene)) is not None:
            by_name[name] = control_
    blueprint = None if shown.trace is None else shown.trace.blueprint
    controls_ = controls_of(shown.params, list(by_name.values()), blueprint)
    by_field = {control["name"]: control for control in controls_}
    typed = [name for name in names if name not in by_name and _is_wide(shown.params, name)]
    fields = [{"name": name} | ({"kind": "number"} if name in typed else {})
              for name in names if name in by_field]  # fmt: skip
    if not fields:
        return []
    chosen = [by_field[field["name"]] for field in fields]
    scope = scope_of(screen, shown.figure)
    key = "-".join((scope, *names))
    return [{"kind": "controls", "key": key, "scope": scope, "fields": fields, "controls": chosen}]


def _control(shown: ShownFigure, name: str, scene: FiguresOfStep) -> Control | None:
    """One control, where its parameter does not say all of it."""
    value = getattr(shown.params, name)
    if name == "text":  # which elsewhere is the whole page's
        return Control(name, value, "line")
    if name == "token":
        return _of_tokens(shown, scene)
    if name == "model":
        return Control(name, value, options=[(model, name_of(model)) for model in _models(shown)])
    if isinstance(value, bool):
        return None
    values = values_of(name, shown)
    if values is None:
        return None
    return Control(name, written(value), options=[(written(v), called) for v, called in values])


def _of_tokens(shown: ShownFigure, scene: FiguresOfStep) -> Control:
    """The tokens of a text; the one that she picked is marked, or the lesson's."""
    if shown.trace is not None:
        labels = shown.names["tokens"]
    else:  # the view itself knows them, and those that it made
        labels = [token.label for token in shown.record.tokens[: shown.record.n_prompt]]
    chosen = shown.params.token
    index = chosen if chosen >= 0 else place_of(shown.figure.select.get("token", "-1"), scene.names)
    index = index if index >= 0 else len(labels) - 1
    return Control("token", str(index), options=[(str(n), label) for n, label in enumerate(labels)])


def _models(shown: ShownFigure) -> list[str]:
    """The models to choose from: those that the figure compares, or all that can be shown in it."""
    compared = getattr(shown.params, "machines", ())
    able = tuple(name for name in by_rank() if can(name, shown.view.needs))
    return [name for name in compared if name in able] or list(able)


def _is_wide(params: Any, name: str) -> bool:
    """Whether a number has more values than a slider has stops: then it is typed."""
    declaration, value = declared(params, name), getattr(params, name)
    if not isinstance(value, int) or isinstance(value, bool) or name == "token":
        return False
    return (
        declaration.low is not None
        and declaration.high is not None
        and declaration.high - declaration.low > STOPS
    )


def is_picked(shown: ShownFigure, name: str) -> bool:
    """Whether it is chosen in the figure itself: a mask that is painted, a unit, a picture."""
    declaration = declared(shown.params, name)
    listed = (
        name in ("layer", "head") or declaration.part is not None or declaration.choices is not None
    )
    return (
        declaration.lives == "browser"
        or name == PictureFigure.draws
        or (declaration.picked and not listed)
    )
