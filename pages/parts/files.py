"""Files of a figure, made when they are asked for: ``/figure/attention.weights.svg?layer=2``.

The address holds all that decides the file, as a link to the page does; it is a stranger's, so it
is read by the same rules.
"""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core import views, zoo
from core.device import available_devices
from core.errors import CoreError, UnknownModelError
from core.figures.components.matrix import Matrix
from core.language import _, available_languages, use_language
from core.show import Figure, figure
from core.views.params import parse
from pages.parts.figure import FILES
from pages.parts.link import unpack
from pages.parts.runs import shared_runs

KINDS = {
    "svg": "image/svg+xml",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


async def answer(request: Request) -> Response:
    """One file; a mistake in the address is said in plain words."""
    view, kind = request.path_params["view"], request.path_params["kind"]
    query = dict(request.query_params)
    speak(query)
    if kind not in KINDS:
        return PlainTextResponse(_("A figure is saved as svg, csv, html or txt."), status_code=404)
    try:
        context = contextvars.copy_context()
        content = await asyncio.to_thread(context.run, make, view, kind, query)
    except CoreError as problem:
        return PlainTextResponse(problem.sentence(), status_code=400)
    name = f"{view.replace('.', '-')}.{kind}"
    return Response(
        content,
        media_type=KINDS[kind],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def speak(query: dict[str, str]) -> None:
    """Take the language that an address asks for, if it is one of ours."""
    if query.get("_language") in available_languages():
        use_language(query["_language"])


def device_of(query: dict[str, str]) -> str:
    """The device that an address asks for, if this machine has it."""
    asked = query.get("_device", "auto")
    return asked if asked in available_devices() else "auto"


def make(view: str, kind: str, query: dict[str, str]) -> str:
    """The content of a file.

    Raises:
        CoreError: there is no such view, or it cannot be computed.
    """
    values, _problems = unpack({n: v for n, v in query.items() if not n.startswith("_")})
    params, _wrong = parse(views.get(view).Params, values)
    model = getattr(params, "model", None)
    if model is not None and model not in zoo.shelf():
        raise UnknownModelError(model, zoo.shelf())
    made = figure(view, params, shared_runs(), device_of(query))
    if kind == "csv":
        return made.csv()
    if kind == "html":
        return made.html()
    if kind == "txt":
        return str(made)
    return _windowed(made, query).svg("dark" if query.get("_mode") == "dark" else "light")


def _windowed(made: Figure, query: dict[str, str]) -> Figure:
    """The figure with the window of a matrix that the browser shows."""
    window: Any = query.get("_window", "").split(",")
    if not isinstance(made.component, Matrix) or not all(n.isdecimal() for n in window):
        return made
    if len(window) != 2:
        return made
    component = dataclasses.replace(made.component, window=(int(window[0]), int(window[1])))
    return dataclasses.replace(made, component=component)


ROUTES = [Route(f"{FILES}/{{view}}.{{kind}}", answer)]
