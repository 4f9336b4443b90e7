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
from core.device import available_devices
from core.figures.values import csv_pieces
from core.language import _
from core.runs.requests import Job
from core.show import Figure, figure, requests_of
from core.views.params import MAX_TEXT, parse
from pages.parts.figure import FILES
from pages.parts.link import unpack
from pages.parts.runs import for_files, shared_runs
from pages.server import making
from pages.server.making import After, Elsewhere, Made

SHORT = 200  # characters of a text of which a file is soon made
KINDS = {
    "svg": "image/svg+xml",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


async def answer(request: Request) -> Response:
    """One file; a mistake in the address is said in plain words."""
    view, kind = request.path_params["view"], request.path_params["kind"]
    if kind not in KINDS:
        making.speak(dict(request.query_params))
        return PlainTextResponse(_("A figure is saved as svg, csv, html or txt."), status_code=404)
    name = f"{view.replace('.', '-')}.{kind}"
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return await making.answer(request, partial(_made, view, kind), KINDS[kind], named)


def _made(view: str, kind: str, query: dict[str, str]) -> Made:
    """The content here, if it is of what learners look at and not large; else apart.

    What trains is a job first, whose result only this process has.
    """
    params, on = _params(view, query), device_of(query)
    requests = views.get(view).requests(params)
    if any(isinstance(one, Job) for one in requests):
        asked = requests_of(view, params, for_files(), on)
        jobs = tuple(one for one in asked if isinstance(one, Job))
        return After(jobs, on, lambda _done: make(view, kind, query))
    short = len(getattr(params, "text", "")) <= SHORT
    if short and all(shared_runs().ready(one, on) for one in requests):
        return make(view, kind, query)
    return Elsewhere(make, (view, kind, query))


def _params(view: str, query: dict[str, str]) -> Any:
    return parse(views.get(view).Params, _values(query))[0]


def _values(query: dict[str, str]) -> dict[str, str]:
    """What an address asks for, by name."""
    return unpack({n: v for n, v in query.items() if not n.startswith("_")})[0]


def device_of(query: dict[str, str]) -> str:
    """The device that an address asks for, if this machine has it."""
    asked = query.get("_device", "auto")
    return asked if asked in available_devices() else "auto"


def make(view: str, kind: str, query: dict[str, str]) -> Iterable[str]:
    """The content of a file, in pieces.

    Raises:
        CoreError: there is no such view, or it cannot be computed.
    """
    params, typed = _params(view, query), _values(query).get("text")
    made = figure(view, params, for_files(), device_of(query), typed=typed)
    if kind == "csv":
        return csv_pieces(made.values)
    if kind == "html":
        return [made.html()]
    if kind == "txt":
        return [str(made)]
    return [_windowed(made, query).svg("dark" if query.get("_mode") == "dark" else "light")]


def _windowed(made: Figure, query: dict[str, str]) -> Figure:
    """The figure with the part of a matrix that the browser shows."""
    first = [making.number(said, MAX_TEXT) for said in query.get("_window", "").split(",")]
    match first:
        case [int(row), int(col)]:
            return dataclasses.replace(made, component=made.component.windowed(row, col))
    return made


ROUTES = [Route(f"{FILES}/{{view}}.{{kind}}", answer, methods=["GET", "POST"])]
