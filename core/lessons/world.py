"""The numbers that a step can speak of: its figures' values, the run behind them, the sizes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from core import views, zoo
from core.figures.components import Component
from core.figures.text import quoted, token_label
from core.figures.values import Values
from core.lessons.expressions import evaluate
from core.lessons.schema import Figure, Step
from core.runs.requests import Request
from core.tracing.trace import Trace
from core.views import View
from core.views.attention.head import HeadRun
from core.views.params import checked

Answer = Callable[[Request], Any]
OF_A_HEAD = ("q", "k", "v", "dots", "scores", "scores_masked", "weights", "z")
SIZES = ("d_model", "n_heads", "d_ff", "n_ctx", "vocab_size", "n_layers")


@dataclass(frozen=True, eq=False)
class Shown:
    """A figure of a step with its run.

    Attributes:
        figure: as the lesson has it.
        view: that draws it.
        params: that it shows.
        runs: that it is computed from.
        record: that is drawn.
        trace: the run behind it; None where no model runs, or none is traced.
    """

    figure: Figure
    view: View[Any, Any]
    params: Any
    runs: Sequence[Any]
    record: Any
    trace: Trace | None

    def component(self, names: Mapping[str, Any]) -> Component:
        """What is drawn, with what the lesson selects in it.

        Raises:
            ExpressionError: the lesson says something that is not there.
        """
        return self.view.show(self.selected(names))

    def selected(self, names: Mapping[str, Any]) -> Any:
        """The record with what the lesson selects in it.

        Raises:
            ExpressionError: the lesson says something that is not there.
        """
        chosen = {name: int(evaluate(text, names)) for name, text in self.figure.select.items()}
        if not chosen:
            return self.record
        return self.view.compute(self.runs, dataclasses.replace(self.params, **chosen))

    @cached_property
    def values(self) -> Mapping[str, Values]:
        """Its numbers by name."""
        return self.view.values(self.record)

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """What an expression may say of it."""
        found: dict[str, Any] = {name: one.array for name, one in self.values.items()}
        if isinstance(self.record, HeadRun):
            found = {site: self.record(site) for site in OF_A_HEAD} | found
        along = {axis.name: list(axis.labels) for one in self.values.values() for axis in one.axes}
        found |= {"axis": along, "params": dataclasses.asdict(self.params)}
        found = self._sizes() | found
        if self.trace is not None:
            found |= {
                "trace": self.trace,
                "weight": self.trace.weights,
                "tokens": [token_label(one) for one in self.trace.main.tokens],
                "words": [quoted(one) for one in self.trace.main.tokens],
                "T": len(self.trace.main.tokens),
            }
        return found

    def _sizes(self) -> dict[str, Any]:
        """The model's sizes, where one is shown."""
        name = getattr(self.params, "model", "")
        said = zoo.describe(name) if name in zoo.shelf() else {}
        found = {name: said[name] for name in SIZES if name in said}
        if {"d_model", "n_heads"} <= found.keys():
            found["d_head"] = found["d_model"] // found["n_heads"]
        return found


@dataclass(frozen=True, eq=False)
class World:
    """What the expressions of a step may say.

    Attributes:
        shown: the step's figures.
    """

    shown: tuple[Shown, ...]
    names: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        names: dict[str, Any] = {one.figure.name: one.names for one in self.shown}
        if self.shown:
            names = {**names, **self.shown[0].names}
        object.__setattr__(self, "names", names)


def world_of(
    step: Step, answer: Answer, given: Mapping[str, Mapping[str, Any]] | None = None
) -> World:
    """Run a step's figures.

    Args:
        step: of a lesson.
        answer: carries a request out.
        given: by the figure's name, what the learner has chosen in place of the lesson's.

    Raises:
        CoreError: a figure cannot be run, or shows something that its view does not know.
    """
    given = given or {}
    return World(tuple(_shown(one, answer, given.get(one.name, {})) for one in step.figures))


def params_of(figure: Figure, given: Mapping[str, Any]) -> Any:
    """What a figure shows.

    Raises:
        ParameterError: its view has no such parameter, or not with this value.
    """
    return checked(views.get(figure.view).Params, {**figure.params, **given})


def _shown(figure: Figure, answer: Answer, given: Mapping[str, Any]) -> Shown:
    view, params = views.get(figure.view), params_of(figure, given)
    runs = [answer(request) for request in view.requests(params)]
    traces = (getattr(run, "trace", None) for run in runs)
    trace = next((one for one in traces if isinstance(one, Trace)), None)
    return Shown(figure, view, params, runs, view.compute(runs, params), trace)
