"""Files of a figure, made when they are asked for: ``/figure/attention.weights.svg?layer=2``.

The address holds all that decides the file, as a link to the page does; it is a stranger's, so it
is read by the same rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core import views
from core.answers import question
from core.answers.app import FIGURE_FILES, NEAREST
from core.device import usable
from core.errors import ParameterError
from core.figures.values import csv_pieces
from core.language import N_, Phrase, _
from core.link import unpack
from core.names import declares
from core.runs.requests import Job
from core.show import Figure, figure, requests_of
from core.views.params import MAX_TEXT, checked
from pages.parts.runs import for_files, shared_runs
from pages.server import answers, making
from pages.server.asking import number, speak
from pages.server.making import After, Elsewhere, Made

CUT = {"text", "target"}  # what a model has no room for is left out, as on a page
SHORT = 200  # characters of a text of which a file is soon made
KINDS = {
    "svg": "image/svg+xml",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


async def answer(request: Request) -> Response:
    """One file; a mistake in the address is said in plain words."""
    view, _dot, kind = request.path_params["file"].rpartition(".")
    if kind in question.KINDS:
        return await answers.answer(request, view, kind)
    if kind not in KINDS:
        speak(dict(request.query_params))
        return PlainTextResponse(_("A figure is saved as svg, csv, html or txt."), status_code=404)
    name = f"{view.replace('.', '-')}.{kind}"
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return await making.answer(request, partial(_made, view, kind), KINDS[kind], named)


def _made(view: str, kind: str, query: dict[str, str]) -> Made:
    """The content here, if it is of what learners look at and not large; else apart.

    What trains is a job first, whose result only this process has.
    """
    (params, _exact), on = _params(view, values_of(query)), usable(query.get("_device", "auto"))
    requests = views.get(view).requests(params)
    if any(isinstance(one, Job) for one in requests):
        asked = requests_of(view, params, for_files(), on)
        jobs = tuple(one for one in asked if isinstance(one, Job))
        return After(jobs, on, lambda _done: make(view, kind, query))
    short = len(getattr(params, "text", "")) <= SHORT
    if short and all(shared_runs().ready(one, on) for one in requests):
        return make(view, kind, query)
    return Elsewhere(make, (view, kind, query))


def _params(
    view: str, values: dict[str, str], *, nearest: bool = False
) -> tuple[Any, frozenset[str]]:
    """What an address asks for, and the names under which nothing but that will do.

    It may be that of a page, which says more than one view reads; a name that no page has is an
    error. A page draws the nearest that its model has, and so does the file that it asks for.

    Raises:
        CoreError: there is no such view, parameter or value.
    """
    cls = views.get(view).Params
    own = {field.name for field in dataclasses.fields(cls)}
    asked = {name: one for name, one in values.items() if name in own or not declares(name)}
    exact = set() if nearest else asked.keys() - CUT
    return checked(cls, asked), frozenset(exact)


def values_of(query: dict[str, str]) -> dict[str, str]:
    """What an address asks for, by name.

    Raises:
        ParameterError: it was not copied whole.
    """
    values, problems = unpack({n: v for n, v in query.items() if not n.startswith("_")})
    for problem in problems:
        got, wanted = problem.got[:SHORT], problem.wanted
        raise ParameterError(problem.name, got, Phrase(N_("{wanted}"), wanted=wanted))
    return values


def make(view: str, kind: str, query: dict[str, str]) -> Iterable[str]:
    """The content of a file, in pieces.

    Raises:
        CoreError: there is no such view, or it cannot be computed.
    """
    values = values_of(query)
    params, exact = _params(view, values, nearest=NEAREST in query)
    on = usable(query.get("_device", "auto"))
    made = figure(view, params, for_files(), on, exact, typed=values.get("text"))
    if kind == "csv":
        return csv_pieces(made.values)
    if kind == "html":
        return [made.html()]
    if kind == "txt":
        return [str(made)]
    return [_windowed(made, query).svg("dark" if query.get("_mode") == "dark" else "light")]


def _windowed(made: Figure, query: dict[str, str]) -> Figure:
    """The figure with the part of a matrix that the browser shows."""
    first = [number(said, MAX_TEXT) for said in query.get("_window", "").split(",")]
    match first:
        case [int(row), int(col)]:
            return dataclasses.replace(made, component=made.component.windowed(row, col))
    return made


ROUTES = [Route(f"{FIGURE_FILES}/{{file}}", answer, methods=["GET", "POST"])]
