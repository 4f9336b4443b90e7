"""A view in a notebook or a file: ``show("attention.weights", text="The cat sat", layer=2)``."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from core import views, zoo
from core.errors import AbilityError, ParameterError
from core.figures.components.base import Component
from core.figures.live import live
from core.figures.text import Sentence, join
from core.figures.theme import Mode
from core.figures.values import Values, to_csv
from core.language import Phrase, name_of
from core.locale import in_quotes
from core.runs.kinds.remarks import RemarksRequest
from core.runs.request import Request
from core.runs.store import Runs
from core.shelf.abilities import can, model_for
from core.views.given import opened
from core.views.nearest import exactly, missing
from core.views.params import checked, declared
from core.views.parts import lacking
from core.views.text.typed import remarks_on

if TYPE_CHECKING:
    import pandas

AROUND, HIGHEST = 190, 1200  # pixels of a frame: head, steps and sentence; and the most


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

    def to_frame(self, name: str = "") -> pandas.DataFrame:
        """One array as a table of pandas, with its labels.

        Args:
            name: of the array, a key of ``values``; the first when empty.

        Raises:
            ParameterError: there is none of that name.
        """
        name = name or next(iter(self.values))
        if name not in self.values:
            raise ParameterError.near_to("name", name, self.values)
        return _frame(name, self.values[name])

    def __str__(self) -> str:
        return str(self.reading)

    def __repr__(self) -> str:
        """A line: a notebook keeps it beside the drawing, and the record is as large as a run."""
        return f"Figure({self.view!r}, {self._about()!r}, values: {', '.join(self.values)})"

    def _about(self) -> str:
        """The view, and the model and the text that it is of, if any."""
        if views.get(self.view).needs.no_model:
            return self.view
        model, text = (getattr(self.params, name, "") for name in ("model", "text"))
        text = "" if getattr(self.params, "picture", "") else text  # which its model reads instead
        named = (self.view, name_of(model), text and in_quotes(text))
        return " · ".join(part for part in named if part)

    def _repr_html_(self) -> str:
        """As a notebook shows it: the live figure in a frame of its own."""
        page = html.escape(self.html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="{html.escape(self.component.title, quote=True)}" '
            f'style="width: 100%; height: {self._height()}px; border: 0" '
            'sandbox="allow-scripts"></iframe>'
        )

    def _height(self) -> int:
        """Of its frame in a notebook, which cannot ask the page inside how high it is."""
        drawn = ElementTree.fromstring(self.svg()).attrib["height"]
        return min(HIGHEST, round(float(drawn)) + AROUND)


def view_names(beginning: str = "") -> list[str]:
    """The views that ``show`` knows.

    Args:
        beginning: of their names, such as "attention"; all of them when empty.
    """
    return [name for name in views.all_views() if name.startswith(beginning)]


def show(name: str, *, device: str = "auto", **params: Any) -> Figure:
    """A view with some of its parameters given, the others as the page opens with.

    Args:
        name: of the view, "attention.weights".
        device: where the model runs.
        params: by the names that the view's ``Params`` has; those of a link.

    Raises:
        ParameterError: there is no such view, parameter or value.
        AbilityError: no model on the shelf can do what the view needs.
        InputTooLongError: the text is longer than the model's context.
        CoreError: a run cannot be carried out.
    """
    view = views.get(name)
    params_ = checked(view.Params, params)
    if "model" not in params and hasattr(params_, "model"):
        params_ = checked(view.Params, {**params, "model": model_for(params_.model, view.needs)})
    _check_room(params_, params, device)
    typed = params.get("text")
    return figure(name, params_, _runs(), device, exact=params.keys(),
                  typed=typed if isinstance(typed, str) else None)  # fmt: skip


def figure(
    name: str,
    params: Any,
    runs: Runs,
    device: str = "auto",
    exact: Collection[str] = (),
    typed: str | None = None,
) -> Figure:
    """A view with its parameters, computed.

    Args:
        name: of the view.
        params: what it shows.
        runs: carry requests out.
        device: where the model runs.
        exact: parameters that a program asks for; of all others the nearest is shown that is there.
        typed: the text as it was typed, where its letters may have to be composed.

    Raises:
        ParameterError: the run has no such place.
        CoreError: a run cannot be carried out.
    """
    with exactly(exact):
        _check_models(params, exact, runs, device)
        view, params = views.get(name), _opened(name, params, runs, device)
        record = view.compute(
            [runs.get(request, device) for request in view.requests(params)], params
        )
        remarks = [] if view.needs.no_model else _remarks(params, typed, runs, device)
        reading = join([view.describe(record), *remarks])
        return Figure(name, params, record, view.show(record), reading, view.values(record))


def _remarks(params: Any, typed: str | None, runs: Runs, device: str) -> list[Sentence]:
    """What there is to say of the text, for a model that reads tokens."""
    text, model = getattr(params, "text", None), getattr(params, "model", None)
    if text is None or model is None or getattr(params, "picture", None):
        return []
    if runs.model(model, device).encoders.text is None:
        return []
    remarks = runs.get(RemarksRequest(model, text if typed is None else typed), device)
    return [remark.text for remark in remarks_on(remarks, model)]


def requests_of(name: str, params: Any, runs: Runs, device: str = "auto") -> Sequence[Request]:
    """The runs that ``figure`` asks for, which raises the same."""
    return views.get(name).requests(_opened(name, params, runs, device))


def _opened(name: str, params: Any, runs: Runs, device: str) -> Any:
    """Parameters as their model opens them."""
    view = views.get(name)
    if not hasattr(params, "model") or view.needs.no_model:
        return params
    model = runs.model(params.model, device)
    lacks = view.needs.unmet(model.abilities, model.blueprint)
    if lacks is not None:
        able = [name for name in zoo.shelf() if can(name, view.needs)]
        raise AbilityError(params.model, Phrase(lacks), able)
    return opened(params, model.encoders)


def _check_models(params: Any, exact: Collection[str], runs: Runs, device: str) -> None:
    """See that the models are there that a program names, and the parts of the view's own.

    Raises:
        UnknownModelError: there is no such model.
        ParameterError: it has no such part.
    """
    declarations = {name: declared(params, name) for name in exact if getattr(params, name) != ""}
    for name in (name for name, declaration in declarations.items() if declaration.model):
        if getattr(params, name) not in zoo.shelf():
            runs.model(getattr(params, name), device)
    if any(declaration.part is not None for declaration in declarations.values()):
        for part in lacking(params, runs.model(params.model, device).blueprint):
            missing(part.name, part.got, part.wanted)


def _check_room(checked_params: Any, params: Mapping[str, Any], device: str) -> None:
    """See that the model has room for all of a text that a program gives.

    Raises:
        InputTooLongError: it has not.
    """
    if not {"text", "target"} & params.keys() or not hasattr(checked_params, "given"):
        return
    model = _runs().model(checked_params.model, device)
    given = checked_params.given
    if type(given) in model.model.takes and any(row.cut for row in model.fitted(given).rows):
        model.prepare(given)


@cache
def _runs() -> Runs:
    """The models and results of this process's notebooks."""
    return Runs()


def _frame(name: str, values: Values) -> pandas.DataFrame:
    """A table: rows and columns of two axes, else a line for each place."""
    import pandas  # half a second that only who asks for a table needs

    axes = values.axes
    index = [pandas.Index(axis.labels, name=axis.name) for axis in axes]
    if len(axes) == 2:
        return pandas.DataFrame(values.array, index[0], index[1])
    column = pandas.Series(values.array.reshape(-1), name=name)
    if axes:
        column.index = pandas.MultiIndex.from_product(index) if len(axes) > 1 else index[0]
    return column.to_frame()
