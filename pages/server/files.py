"""Files of a figure, made when they are asked for: ``/figure/attention.weights.svg?layer=2``.

The address holds all that decides the file, as a link to the page does; it is a stranger's, so it
is read by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core import views
from core.answers import question
from core.answers.app import FIGURE_FILES
from core.answers.files import SHORT, made_of, params_of, values_of
from core.device import usable
from core.language import _
from core.runs.request import Job
from core.show import requests_of
from pages.parts.runs import for_files, shared_runs
from pages.server import answers, making
from pages.server.asking import speak
from pages.server.making import After, Elsewhere, Made

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
    return await making.answer(request, partial(_make_file, view, kind), KINDS[kind], named)


def _make_file(view: str, kind: str, query: dict[str, str]) -> Made:
    """The content here, if it is of what learners look at and not large; else apart.

    What trains is a job first, whose result only this process has.
    """
    (params, _exact), on = params_of(view, values_of(query)), usable(query.get("_device", "auto"))
    requests = views.get(view).requests(params)
    if any(isinstance(request, Job) for request in requests):
        in_turn = requests_of(view, params, for_files(), on)
        jobs = tuple(request for request in in_turn if isinstance(request, Job))
        return After(jobs, on, lambda _done: make(view, kind, query))
    short = len(getattr(params, "text", "")) <= SHORT
    if short and all(shared_runs().ready(request, on) for request in requests):
        return make(view, kind, query)
    return Elsewhere(make, (view, kind, query))


def make(view: str, kind: str, query: dict[str, str]) -> Iterable[str]:
    """The content of a file, in pieces, also in the other process.

    Raises:
        CoreError: there is no such view, or it cannot be computed.
    """
    return made_of(view, kind, query, for_files())


ROUTES = [Route(f"{FIGURE_FILES}/{{file}}", answer, methods=["GET", "POST"])]
