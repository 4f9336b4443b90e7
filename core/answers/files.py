"""The files of a figure, whose address holds all: ``/figure/attention.weights.svg?layer=2``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from core import views
from core.answers.app import NEAREST
from core.answers.link import number, unpack
from core.answers.names import declares
from core.device import usable
from core.errors import ParameterError
from core.figures.values import csv_pieces
from core.language import N_, Phrase
from core.runs.store import Runs
from core.show import Figure, figure
from core.views.params import MAX_TEXT, checked

CUT = {"text", "target"}  # what a model has no room for is left out, as on a page
SHORT = 200  # characters of a text of which a file is soon made


def params_of(
    view: str, values: dict[str, str], *, nearest: bool = False
) -> tuple[Any, frozenset[str]]:
    """What an address asks for, and the names under which nothing but that will do.

    It may be that of a page, which says more than one view reads; a name that no page has is an
    error. A page draws the nearest that its model has, and so does the file that it asks for.

    Raises:
        CoreError: there is no such view, parameter or value.
    """
    cls = views.get(view).Params
    fields = {field.name for field in dataclasses.fields(cls)}
    params = {name: value for name, value in values.items() if name in fields or not declares(name)}
    exact = set() if nearest else params.keys() - CUT
    return checked(cls, params), frozenset(exact)


def values_of(query: Mapping[str, str]) -> dict[str, str]:
    """What an address asks for, by name.

    Raises:
        ParameterError: it was not copied whole.
    """
    values, problems = unpack({n: v for n, v in query.items() if not n.startswith("_")})
    for problem in problems:
        text, expected = problem.got[:SHORT], problem.wanted
        raise ParameterError(problem.name, text, Phrase(N_("{wanted}"), wanted=expected))
    return values


def made_of(view: str, kind: str, query: Mapping[str, str], runs: Runs) -> Iterable[str]:
    """The content of a file, in pieces.

    Raises:
        CoreError: there is no such view, or it cannot be computed.
    """
    values = values_of(query)
    params, exact = params_of(view, values, nearest=NEAREST in query)
    on = usable(query.get("_device", "auto"))
    figure_ = figure(view, params, runs, on, exact, typed=values.get("text"))
    if kind == "csv":
        return csv_pieces(figure_.values)
    if kind == "html":
        return [figure_.html()]
    if kind == "txt":
        return [str(figure_)]
    return [_windowed(figure_, query).svg("dark" if query.get("_mode") == "dark" else "light")]


def _windowed(figure: Figure, query: Mapping[str, str]) -> Figure:
    """The figure with the part of a matrix that the browser shows."""
    first = [number(place, MAX_TEXT) for place in query.get("_window", "").split(",")]
    match first:
        case [int(row), int(col)]:
            return dataclasses.replace(figure, component=figure.component.windowed(row, col))
    return figure
