"""A figure's answer, whole: ``GET /figure/attention.steps.bin?text=…&model=gpt&layer=2``.

What is drawn, its sentence, its steps and its controls, or the one sentence why there is none. It
is a function of its address, the weights and the language, so a class shares it: the bytes are
kept, and who has them already is told no more than that.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core import typed, zoo
from core.answers.question import LONGEST, Address, Question
from core.errors import CoreError, as_said
from core.runs.line import asking
from core.views.params import MAX_TEXT
from pages.parts.app import app
from pages.parts.frame import REMARKS
from pages.parts.runs import shared_runs
from pages.server import making
from pages.server.jobs import Watcher
from pages.server.turns import BusyError, Turns
from pages.server.visitors import visitor_of

T = TypeVar("T")
MEDIA_TYPE = "application/octet-stream"
REFUSED = "application/problem+json"  # RFC 9457
LOOKED_AT = ("token", "source_token")  # names of a place in a text


@dataclass
class Lane:
    """A thread, and turns at it: what is there waits for nothing that takes long."""

    turns: Turns
    thread: ThreadPoolExecutor


_READY = Lane(Turns(16, 300, 600), ThreadPoolExecutor(1, "answers"))
LONG = Lane(Turns(16, 300, 600), ThreadPoolExecutor(1, "long-answers"))


async def asked_with(request: Request) -> dict[str, str]:
    """What an address says, or a body where that would be too long; of no other site's page.

    Raises:
        TooMuchError, TimeoutError: too much, or too slowly.
    """
    body = await making.body_of(request) if request.method == "POST" else {}
    if request.method == "POST" and not making.from_here(request):
        raise making.TooMuchError
    return dict(request.query_params) | body


async def answer(request: Request, view: str, kind: str) -> Response:
    """Answer a figure's address; what is wrong with it is said in plain words."""
    try:
        query = await asked_with(request)
    except (making.TooMuchError, TimeoutError):
        return Response(status_code=413)
    making.speak(query)
    question, watcher, headers = None, None, {"Cache-Control": "no-cache"}
    try:
        address = Address.of(view, kind, query)
        found = shared_runs().found(address)
        if found is None:
            question = Question(address, app())
            watcher = Watcher.of(request, query, question)
            found = await in_turn(request, _lane(question), watcher.answer)
            headers |= watcher.headers()
    except BusyError as busy:
        return Response(status_code=429, headers={"Retry-After": str(busy.seconds)})
    except CoreError as problem:
        offered = [] if question is None else question.controls()
        kept = [one for one in offered if one["kind"] != "range"]  # of which the run knows the end
        headers |= {} if watcher is None else watcher.headers()
        # Why there is nothing to show is an answer; what nobody can ask is none.
        status = 400 if question is None else 200
        said = {"said": as_said(problem), "controls": kept}
        return JSONResponse(said, status, headers, REFUSED)
    if found is None:
        return Response(status_code=400)
    headers["ETag"] = found.tag
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=MEDIA_TYPE, headers=headers)


def _lane(question: Question) -> Lane:
    return _READY if question.ready else LONG


async def remarks(request: Request) -> Response:
    """What there is to say of a text that was typed, and where she looks in it (``typed``)."""
    try:
        asked = await asked_with(request)
    except (making.TooMuchError, TimeoutError):
        return Response(status_code=413)
    query = {n: v for n, v in asked.items() if len(v) <= LONGEST}
    making.speak(query)
    model = query.get("model", "")
    if model not in zoo.shelf():
        return Response(status_code=400)
    try:
        found = await in_turn(request, LONG, partial(_of_typed, query, model))
    except BusyError as busy:
        return Response(status_code=429, headers={"Retry-After": str(busy.seconds)})
    except CoreError as problem:
        return JSONResponse({"said": as_said(problem)}, 400, {}, REFUSED)
    return JSONResponse(found, headers={"Cache-Control": "no-cache"})


def _of_typed(query: Mapping[str, str], model: str) -> dict[str, Any]:
    text, before = query.get("text", ""), query.get("_before", "")
    places = {
        name: at
        for name, value in query.items()
        if name.rpartition(".")[2] in LOOKED_AT
        and (at := making.number(value, MAX_TEXT)) is not None
    }
    return {
        "remarks": typed.remarks(shared_runs(), text, model, "auto"),
        "looks": typed.looked_at(shared_runs(), before, text, model, "auto", places)
        if text.strip()
        else {},
    }


async def in_turn(request: Request, lane: Lane, make: Callable[[], T]) -> T | None:
    """What is made in a visitor's turn; None if nobody waits for it any more."""
    visitor = visitor_of(request)
    lane.turns.enter(visitor)
    try:
        async with lane.turns.turn(visitor):
            if await request.is_disconnected():
                return None
            with asking(visitor):
                here = contextvars.copy_context()
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(lane.thread, here.run, make)
    finally:
        lane.turns.leave(visitor)


ROUTES = [Route(REMARKS, remarks, methods=["GET", "POST"])]
