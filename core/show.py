"""A view in a notebook or a file: ``show("attention.weights", text="The cat sat", layer=2)``."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from core import views, zoo
from core.figures.components.base import Component
from core.figures.live import live
from core.figures.text import Sentence
from core.figures.theme import Mode
from core.figures.values import Values, to_csv
from core.language import name_of
from core.locale import in_quotes
from core.models.needs import Needs
from core.runs.store import Runs
from core.views.nearest import exactly
from core.views.opening import opened
from core.views.params import checked


@dataclass(frozen=True, eq=False)
class Figure:
    """A view of one run: live in a notebook, and as one file of each kind.

    Attributes:
        view: its name.
        params: what it shows.
        record: its numbers.
        component: what is drawn.
        reading: what the numbers say.
        values: the numbers by name.
    """

    view: str
    params: Any
    record: Any
    component: Component
    reading: Sentence
    values: Mapping[str, Values]

    def html(self) -> str:
        """One HTML file that answers to pointing, selection and steps, from disk."""
        steps = views.get(self.view).steps(self.record)
        parts = [self.component] if steps is None else [steps, self.component]
        return live(self.component.title, parts, about=self._about(), reading=str(self.reading))

    def svg(self, mode: Mode = "light") -> str:
        """The drawing."""
        return self.component.drawing(mode)

    def csv(self) -> str:
        """All the numbers."""
        return to_csv(self.values)

    def __str__(self) -> str:
        return str(self.reading)

    def _about(self) -> str:
        """The view, and the model and the text that it is of, if any."""
        if views.get(self.view).needs.no_model:
            return self.view
        model, text = (getattr(self.params, name, "") for name in ("model", "text"))
        named = (self.view, name_of(model), text and in_quotes(text))
        return " · ".join(part for part in named if part)

    def _repr_html_(self) -> str:
        """As a notebook shows it: the live figure in a frame of its own."""
        page = html.escape(self.html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{html.escape(self.component.title, quote=True)}" '
            'style="width: 100%; height: 640px; border: 0" sandbox="allow-scripts"></iframe>'
        )


def show(name: str, *, device: str = "auto", **params: Any) -> Figure:
    """A view with some of its parameters given, the others as the page opens with.

    Args:
        name: of the view, "attention.weights".
        device: where the model runs.
        params: by the names that the view's ``Params`` has; those of a link.

    Raises:
        ParameterError: there is no such view, parameter or value.
        AbilityError: no model on the shelf can do what the view needs.
        CoreError: a run cannot be carried out.
    """
    view = views.get(name)
    asked = checked(view.Params, params)
    if "model" not in params and hasattr(asked, "model"):
        asked = checked(view.Params, {**params, "model": _able(view.needs, asked.model)})
    return figure(name, asked, _runs(), device, exact=params.keys())


def figure(
    name: str, params: Any, runs: Runs, device: str = "auto", exact: Collection[str] = ()
) -> Figure:
    """A view with its parameters, computed.

    Args:
        name: of the view.
        params: what it shows.
        runs: carry requests out.
        device: where the model runs.
        exact: parameters that a program asks for; of all others the nearest is shown that is there.

    Raises:
        ParameterError: the run has no such place.
        CoreError: a run cannot be carried out.
    """
    view = views.get(name)
    if hasattr(params, "model") and not view.needs.no_model:
        model = runs.model(params.model, device)
        view.needs.check(params.model, model.abilities, model.blueprint)
        params = opened(params, model.encoders)
    with exactly(exact):
        record = view.compute([runs.get(one, device) for one in view.requests(params)], params)
        return Figure(
            name, params, record, view.show(record), view.describe(record), view.values(record)
        )


@cache
def _runs() -> Runs:
    """The models and results of this process's notebooks."""
    return Runs()


def _able(needs: Needs, default: str) -> str:
    """A model of the shelf that has what a view needs, the default one if it has.

    Raises:
        AbilityError: none has.
        UnknownModelError: there is no model at all.
    """
    if needs.no_model:
        return default
    shelf = sorted(zoo.shelf(), key=lambda name: name != default)
    for name in shelf:
        if needs.unmet(zoo.abilities(name), zoo.blueprint(name)) is None:
            return name
    asked = shelf[0] if shelf else default
    needs.check(asked, zoo.abilities(asked), zoo.blueprint(asked))
    return asked
