"""What an experiment is: one click, and the number that it promises to move."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict, ImportString
from pydantic.dataclasses import dataclass as row

from core import views
from core.experiments import measures
from core.figures.text import number, percent, sentence
from core.language import _
from core.locale import grouped
from core.runs.request import Request
from core.views.params import checked, declared

Unit = Literal["share", "number", "count", "bits", "word"]
LEAST_POINTS, LEAST_FACTOR = 0.10, 2.0
_NUMBER = re.compile(r"-?\d+").fullmatch


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


@row(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
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
        measure: reads it from the view's values: a function of ``measures`` and what it is given.
        unit: how it is written.
        before: the state on one side, by the names of parameters.
        changes: what the click changes in it; None for what the view chooses by itself.
        sides: what the two are called.
        margin: how far the number must move: 10 percentage points, a factor of 2, or to another
            word.
        near: the figure to look at, by its view or its key, where it is not the number's own.
        joins: what is put beside what the learner has, not in its place, by the name of the
            parameter: a function of hers and of the experiment's.
    """

    id: str
    title: str
    watch: str
    view: str
    what: str
    measure: str
    unit: Unit
    before: Mapping[str, Any]
    changes: Mapping[str, Any]
    sides: tuple[str, str]
    margin: Literal["points", "factor", "word"]
    near: str = ""
    joins: Mapping[str, ImportString[Callable[[str, str], str]]] = field(default_factory=dict)

    @property
    def after(self) -> dict[str, Any]:
        """The whole state after the click."""
        return {**self.before, **self.changes}

    @property
    def place(self) -> str:
        """The figure to look at: its view, or its key on the page."""
        return self.near or self.view

    def beside(self, name: str, own: Any, value: Any) -> Any:
        """What it puts where the learner has a value of her own: that with its own, or its own."""
        return self.joins[name](own, value) if name in self.joins else value

    def params(self, state: Mapping[str, Any]) -> Any:
        """What of a state the view is asked with."""
        cls = views.get(self.view).Params
        names = [field.name for field in dataclasses.fields(cls)]
        return checked(cls, {name: state[name] for name in names if state.get(name) is not None})

    def led_to(self, now: Any) -> bool:
        """Whether these parameters are what it led to, whatever is selected in them."""
        then = self.params(self.after)
        given = {name for name, value in self.after.items() if value is not None}
        names = [
            field.name
            for field in dataclasses.fields(now)
            if field.name in given and declared(now, field.name).lives == "server"
        ]
        return all(
            getattr(now, name) == self.beside(name, getattr(now, name), getattr(then, name))
            for name in names
        )

    def outcome(self, answer: Callable[[Request], Any]) -> Outcome:
        """The number before and after, from two runs.

        Args:
            answer: carries a request out.

        Raises:
            CoreError: one cannot be carried out.
        """
        before, after = (self._number(params, answer) for params in (self.before, self.after))
        return Outcome(before, after, moved(before, after, self.margin))

    def _number(self, state: Mapping[str, Any], answer: Callable[[Request], Any]) -> float | str:
        view, params = views.get(self.view), self.params(state)
        record = view.compute([answer(one) for one in view.requests(params)], params)
        name, *given = self.measure.split()
        reads: Callable[..., float | str] = getattr(measures, name)
        return reads(view.values(record), *(int(one) if _NUMBER(one) else one for one in given))

    def written(self, value: float | str) -> str:
        """A number of either side as people read it."""
        if isinstance(value, str):
            return value
        if self.unit == "share":
            return percent(value)
        if self.unit == "count":
            return grouped(round(value))
        if self.unit == "bits":
            return str(sentence(_("{n} bits"), n=number(value)))
        return number(value)


def moved(before: float | str, after: float | str, margin: str) -> bool:
    """Whether a number has moved as far as a margin asks."""
    if isinstance(before, str) or isinstance(after, str):
        return margin == "word" and before != after
    if math.isnan(before) or math.isnan(after):
        return False
    if margin == "points":
        return abs(after - before) >= LEAST_POINTS
    low, high = sorted((abs(before), abs(after)))
    return margin == "factor" and high > 0 and high >= LEAST_FACTOR * low
