"""What an experiment is: one click, and the number that it promises to move."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core import views
from core.figures.text import number, percent
from core.figures.values import Values
from core.language import N_, Phrase
from core.runs.store import Runs
from core.views.params import checked

Figures = Mapping[str, Values]
Measure = Callable[[Figures], float | str]
Unit = Literal["share", "number", "bits", "word"]
LEAST_POINTS, LEAST_FACTOR = 0.10, 2.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A number on both sides of a click.

    Attributes:
        before: it.
        after: the click.
        kept: it moved as far as was promised.
    """

    before: float | str
    after: float | str
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One click, and the number that it promises to move.

    What is shown on either side is given whole, so that the promise holds whatever the learner
    was looking at.

    Attributes:
        id: stable; page and name, "attention.repeat".
        title: on the button, a verb first.
        watch: what to watch, one or two sentences.
        view: the view that the number is read from, and the figure to look at.
        what: the number in words.
        measure: reads it from the view's values.
        unit: how it is written.
        before: the state on one side, by the names of parameters.
        changes: what the click changes in it; None for what the view chooses by itself.
        sides: what the two are called.
        margin: how far the number must move: 10 percentage points, a factor of 2, or to another
            word.
        near: another view to scroll to, where the number's own is not on the page.
    """

    id: str
    title: str
    watch: str
    view: str
    what: str
    measure: Measure
    unit: Unit
    before: Mapping[str, Any]
    changes: Mapping[str, Any]
    sides: tuple[str, str]
    margin: Literal["points", "factor", "word"]
    near: str = ""

    @property
    def after(self) -> dict[str, Any]:
        """The whole state after the click."""
        return {**self.before, **self.changes}

    @property
    def place(self) -> str:
        """The view to look at."""
        return self.near or self.view

    def outcome(self, runs: Runs, device: str = "auto") -> Outcome:
        """The number before and after, from two runs.

        Raises:
            CoreError: a run cannot be carried out.
        """
        before, after = (self._number(one, runs, device) for one in (self.before, self.after))
        return Outcome(before, after, _moved(before, after, self.margin))

    def _number(self, state: Mapping[str, Any], runs: Runs, device: str) -> float | str:
        view = views.get(self.view)
        names = view.Params.__dataclass_fields__
        given = {name: state[name] for name in names if state.get(name) is not None}
        params = checked(view.Params, given)
        record = view.compute([runs.get(one, device) for one in view.requests(params)], params)
        return self.measure(view.values(record))

    def written(self, value: float | str) -> str:
        """A number of either side as people read it."""
        if isinstance(value, str):
            return value
        if self.unit == "share":
            return percent(value)
        if self.unit == "bits":
            return str(Phrase(N_("{n} bits"), n=number(value)))
        return number(value)


def _moved(before: float | str, after: float | str, margin: str) -> bool:
    if isinstance(before, str) or isinstance(after, str):
        return margin == "word" and before != after
    if math.isnan(before) or math.isnan(after):
        return False
    if margin == "points":
        return abs(after - before) >= LEAST_POINTS
    low, high = sorted((abs(before), abs(after)))
    return margin == "factor" and high > 0 and high >= LEAST_FACTOR * low


# --- measures: what is read from a view's values -------------------------------------------------


def at(name: str, *place: int) -> Measure:
    """One number of an array, by its place."""
    return lambda values: _plain(values[name].array[place])


def selected(name: str) -> Measure:
    """The number that the view has selected."""
    return lambda values: _plain(values[name].value)


def most(name: str) -> Measure:
    """The largest number of an array."""
    return lambda values: float(values[name].array.max())


def count(name: str) -> Measure:
    """How many entries an array has along its first axis."""
    return lambda values: float(len(values[name].array))


def label_of(name: str, axis: int, rank: Measure) -> Measure:
    """The label at a place that another measure gives."""
    return lambda values: str(values[name].axes[axis].labels[int(rank(values))])


def _plain(value: Any) -> float | str:
    return f"“{value}”" if isinstance(value, str) else float(value)
