"""The numbers that a step can speak of: its figures' values, the run behind them, the sizes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from core import views, zoo
from core.data.measured import of_a_model
from core.errors import ExpressionError
from core.figures.components import Component
from core.figures.values import Values
from core.inputs import Text
from core.lessons.chances import chances
from core.lessons.expressions import place_of
from core.lessons.filling import fill
from core.lessons.hands import DONE, Later, handed
from core.lessons.naming import Names
from core.lessons.schema import LessonStep, StepFigure
from core.lessons.silenced import Silenced
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import ATTENTION, TraceRequest
from core.runs.request import Request
from core.tracing.trace import Trace
from core.views import View
from core.views.attention.head import HeadRun
from core.views.nearest import exactly
from core.views.params import OnText, checked

Answer = Callable[[Request], Any]
OF_A_HEAD = ("q", "k", "v", "dots", "scores", "scores_masked", "weights", "z")
SIZES = ("d_model", "n_heads", "d_ff", "n_ctx", "vocab_size", "n_layers")


@dataclass(frozen=True, eq=False)
class ShownFigure:
    """A figure of a step with its run.

    Attributes:
        figure: as the lesson has it.
        view: that draws it.
        params: that it shows.
        runs: that it is computed from.
        record: that is drawn.
        trace: the run behind it; None where no model runs, or none is traced.
        answer: carries a request out.
        exact: parameters that the lesson asks for by itself; on a learner's text the nearest do.
    """

    figure: StepFigure
    view: View[Any, Any]
    params: Any
    runs: Sequence[Any]
    record: Any
    trace: Trace | None
    answer: Answer
    exact: frozenset[str] = frozenset()

    def component(self, names: Mapping[str, Any]) -> Component:
        """What is drawn, with what the lesson selects in it.

        Raises:
            ExpressionError: the lesson says something that is not there.
            ParameterError: it selects something that is not there.
        """
        with exactly(self.exact):
            return self.view.show(self.chosen(names))

    def chosen(self, names: Mapping[str, Any]) -> Any:
        """The record with what the lesson selects in it.

        Raises:
            ExpressionError: the lesson says something that is not there.
        """
        return self.computed(self.selected(names)) if self.figure.select else self.record

    def computed(self, params: Any) -> Any:
        """The record of other parameters; what is selected may need other runs."""
        runs = [self.answer(request) for request in _requests(self.view, params)]
        with exactly(self.exact):
            return self.view.compute(runs, params)

    def selected(self, names: Mapping[str, Any]) -> Any:
        """What it shows, with what the lesson selects in it.

        Raises:
            ExpressionError: the lesson says something that is not there.
        """
        facts = names.unselected if isinstance(names, Names) else names
        chosen = {name: fill(text, facts) if "{{" in text else place_of(text, facts)
                  for name, text in self.figure.select.items()}  # fmt: skip
        return dataclasses.replace(self.params, **chosen)

    def with_selection(self, names: Mapping[str, Any]) -> ShownFigure:
        """The same with what the lesson selects in it: its numbers are those of the selection.

        Before all places are drawn nothing is selected.
        """
        try:
            params = self.selected(names)
        except ExpressionError:
            return self
        if params == self.params:
            return self
        if params not in self._selections:
            record = self.computed(params)
            self._selections[params] = dataclasses.replace(self, params=params, record=record)
        return self._selections[params]

    @cached_property
    def _selections(self) -> dict[Any, ShownFigure]:
        return {}

    @cached_property
    def values(self) -> Mapping[str, Values]:
        """Its numbers by name."""
        return self.view.values(self.record)

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """Everything that an expression may name in it, with its value."""
        names: dict[str, Any] = {name: _plain(values.array) for name, values in self.values.items()}
        if isinstance(self.record, HeadRun):
            names = _of_a_head(self.record) | names
        along = {
            axis.name: list(axis.labels) for values in self.values.values() for axis in values.axes
        }
        names |= {"axis": along, "params": dataclasses.asdict(self.params)}
        names = self._sizes() | names
        if self.trace is not None:
            names |= {
                "trace": self.trace,
                "weight": self.trace.weights,
                "tokens": [unit.label for unit in self.trace.main.units],
                "words": [unit.spoken for unit in self.trace.main.units],
                "T": len(self.trace.main.units),
            }
            names |= chances(self.runs, self.record, self.params)
            attends = bool(self.trace.blueprint.attentions)
            if attends and isinstance(self.params, OnText) and hasattr(self.params, "layer"):
                names["silenced"] = Silenced(self.trace, self.params, self.answer)
        return names

    def _sizes(self) -> dict[str, Any]:
        """The model's sizes, and what was measured of it, where one of the shelf is shown."""
        model = getattr(self.params, "model", "")
        if model not in zoo.shelf():
            return {}
        description = zoo.describe(model)
        sizes = {name: description[name] for name in SIZES if name in description}
        sizes["measured"] = of_a_model(zoo.SHELF / model)
        if {"d_model", "n_heads"} <= sizes.keys():
            sizes["d_head"] = sizes["d_model"] // sizes["n_heads"]
        return sizes


def _plain(array: np.ndarray) -> Any:
    """An array, or the text that is all a value has."""
    return array if array.ndim or array.dtype != object else array.item()


def _of_a_head(record: HeadRun) -> dict[str, Any]:
    """By name, what a head computes: additive attention has no dot products and no values."""
    names = (name for name in OF_A_HEAD if record.prefix + name in record.trace.catalogue)
    return {name: record(name) for name in names}


@dataclass(frozen=True, eq=False)
class World:
    """What the expressions of a step may say.

    Attributes:
        shown: the step's figures.
        extra: what else they may: of a step with a goal, the figures once it is reached.
    """

    shown: tuple[ShownFigure, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def names(self) -> Names:
        """By name, what they may say."""
        return Names(self.shown, self.extra)


def world_of(
    step: LessonStep, answer: Answer, inputs: Mapping[str, Mapping[str, Any]] | None = None
) -> World:
    """Run a step's figures.

    Args:
        step: of a lesson.
        answer: carries a request out.
        inputs: by the figure's name, what the learner has chosen in place of the lesson's.

    Raises:
        CoreError: a figure cannot be run, or shows something that its view does not know.
    """
    inputs = inputs or {}
    figures = [_following(figure, step) for figure in step.figures]
    shown = tuple(_run_figure(figure, answer, inputs.get(figure.name, {})) for figure in figures)
    return World(shown, _of_a_goal(step, answer, inputs))


def _of_a_goal(
    step: LessonStep, answer: Answer, inputs: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Of a step with a goal, the names of its figures once that is reached."""
    if step.question is None or step.in_hand is None:
        return {}
    reached = handed(step, step.question.done, inputs)
    plain = step.model_copy(update={"question": None})
    return {DONE: Later(lambda: world_of(plain, answer, reached).names)}


def _following(figure: StepFigure, step: LessonStep) -> StepFigure:
    """A figure with what the one that it follows selects."""
    fields = {field.name for field in dataclasses.fields(views.get(figure.view).Params)}
    leads = (leader.select for leader in step.figures if leader.name == figure.follows)
    led = {name: text for select in leads for name, text in select.items() if name in fields}
    return figure.model_copy(update={"select": {**led, **figure.select}}) if led else figure


def requests_of(step: LessonStep, text: str = "") -> Iterator[Request]:
    """The runs that a step needs.

    Args:
        step: of a lesson.
        text: the learner's own sentence, for the figures that take one; empty for the lesson's.

    Raises:
        CoreError: a figure shows something that its view does not know.
    """
    for figure in step.figures:
        inputs = {"text": text} if text and figure.own else {}
        requests = list(_requests(views.get(figure.view), params_of(figure, inputs)))
        yield from (*requests, *_read(requests))


def _requests(view: View[Any, Any], params: Any) -> Iterator[Request]:
    """The runs of a view: a lesson may say anything of one that the view looks into."""
    for request in view.requests(params):
        if isinstance(request, TraceRequest) and ATTENTION in request.sites:
            yield dataclasses.replace(request, sites=())
        else:
            yield request


def _read(requests: Sequence[Request]) -> Iterator[TraceRequest]:
    """Of texts that go on, the runs before anything is written: a lesson looks into them, too."""
    for request in requests:
        if isinstance(request, GenerateRequest):
            yield TraceRequest(request.model, Text(request.text), sites=("@logits",))


def params_of(figure: StepFigure, inputs: Mapping[str, Any]) -> Any:
    """What a figure shows.

    Raises:
        ParameterError: its view has no such parameter, or not with this value.
    """
    return checked(views.get(figure.view).Params, {**figure.params, **inputs})


def _run_figure(figure: StepFigure, answer: Answer, inputs: Mapping[str, Any]) -> ShownFigure:
    view, params = views.get(figure.view), params_of(figure, inputs)
    requests = list(_requests(view, params))
    runs = [answer(request) for request in requests]
    looked_into = (*runs, *map(answer, _read(requests)))
    traces = (getattr(getattr(run, "run", run), "trace", None) for run in looked_into)
    trace = next((trace for trace in traces if isinstance(trace, Trace)), None)
    exact = frozenset() if inputs else frozenset({*figure.params, *figure.select})
    with exactly(exact):
        record = view.compute(runs, params)
    return ShownFigure(figure, view, params, runs, record, trace, answer, exact)
