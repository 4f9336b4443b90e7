"""A figure's answer, whole: ``GET /figure/attention.steps.bin?text=…&model=gpt&layer=2``.

What is drawn, its sentence, its steps and its controls, or the one sentence why there is none. It
is a function of its address, the weights and the language, so a class shares it: the bytes are
kept, and who has them already is told no more than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core import zoo
from core.answers import typed
from core.answers.app import REMARKS
from core.answers.link import number
from core.answers.question import LONGEST, Address, FigureQuestion, TaggedBytes
from core.errors import CoreError, as_said
from core.views.params import MAX_TEXT
from pages.parts.app import app
from pages.parts.runs import shared_runs
from pages.server.asking import MEDIA_TYPE, REFUSED, AnswerThread, Query, answered
from pages.server.jobs import Watcher
from pages.server.turns import Turns

LOOKED_AT = ("token", "source_token")  # names of a place in a text


_READY = AnswerThread(Turns(16, 300, 600), ThreadPoolExecutor(1, "answers"))
LONG = AnswerThread(Turns(16, 300, 600), ThreadPoolExecutor(1, "long-answers"))


async def answer(request: Request, view: str, kind: str) -> Response:
    """Answer a figure's address; what is wrong with it is said in plain words."""
    return await answered(request, partial(_answer, request, view, kind), refused=400)


async def _answer(request: Request, view: str, kind: str, query: Query) -> Response:
    headers = {"Cache-Control": "no-cache"}
    address = Address.of(view, kind, query)
    answer: TaggedBytes | None = shared_runs().peek(address)
    if answer is None:
        question = FigureQuestion(address, app())
        watcher = Watcher.of(request, query, question)
        try:
            answer = await _lane(question).in_turn(request, watcher.answer)
        except CoreError as problem:  # why there is nothing to show is an answer
            # Of a range the run knows the end.
            controls = [control for control in question.controls() if control["kind"] != "range"]
            data = {"said": as_said(problem), "controls": controls}
            return JSONResponse(data, 200, headers | watcher.headers(), REFUSED)
        headers |= watcher.headers()
    headers["ETag"] = answer.tag
    if request.headers.get("if-none-match") == answer.tag:
        return Response(status_code=304, headers=headers)
    return Response(answer.body, media_type=MEDIA_TYPE, headers=headers)


def _lane(question: FigureQuestion) -> AnswerThread:
    return _READY if question.ready else LONG


async def remarks(request: Request) -> Response:
    """What there is to say of a text that was typed, and where she looks in it (``typed``)."""
    return await answered(request, partial(_remarks, request), refused=400)


async def _remarks(request: Request, params: Query) -> Response:
    query = {name: value for name, value in params.items() if len(value) <= LONGEST}
    model = query.get("model", "")
    if model not in zoo.shelf():
        return Response(status_code=400)
    remarks = await LONG.in_turn(request, partial(_of_typed, query, model))
    return JSONResponse(remarks, headers={"Cache-Control": "no-cache"})


def _of_typed(query: Mapping[str, str], model: str) -> dict[str, Any]:
    text, before = query.get("text", ""), query.get("_before", "")
    places = {
        name: n
        for name, value in query.items()
        if name.rpartition(".")[2] in LOOKED_AT and (n := number(value, MAX_TEXT)) is not None
    }
    return {
        "remarks": typed.remarks(shared_runs(), text, model, "auto"),
        "looks": typed.looked_at(shared_runs(), before, text, model, "auto", places)
        if text.strip()
        else {},
    }


ROUTES = [Route(REMARKS, remarks, methods=["GET", "POST"])]
