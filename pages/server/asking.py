"""What a route is asked with, and how it answers: in the visitor's language, and in her turn."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.errors import CoreError, as_said
from core.language import available_languages, use_language
from core.runs.turn_queue import Visitor, asking
from pages.server.turns import BusyError, Turns
from pages.server.visitors import visitor_of

T = TypeVar("T")
Query = dict[str, str]
MOST_ASKED = 500_000  # bytes of a question: two texts as long as a field takes, written as %F0...
MOST_NAMED = 1000  # parameters of a question
ASKED_WITHIN = 10.0  # seconds in which the whole of a question has to come
MEDIA_TYPE = "application/octet-stream"
REFUSED = "application/problem+json"  # RFC 9457


class TooMuchError(Exception):
    """A question is longer than one is read."""


class GoneError(Exception):
    """Nobody waits for the answer any more."""


@dataclass
class AnswerThread:
    """A thread, and turns at it: what is there waits for nothing that takes long."""

    turns: Turns
    thread: ThreadPoolExecutor

    async def in_turn(self, request: Request, make: Callable[[], T]) -> T:
        """What is made in a visitor's turn, from a place of hers that she has but for the time.

        Raises:
            BusyError: she has no place left.
            GoneError: nobody waits for it any more.
        """
        visitor = visitor_of(request)
        self.turns.enter(visitor)
        try:
            return await self.make_here(request, visitor, make)
        finally:
            self.turns.leave(visitor)

    async def make_here(self, request: Request, visitor: Visitor, make: Callable[[], T]) -> T:
        """The same for who has a place already.

        Raises:
            GoneError: nobody waits for it any more.
        """
        waits = not self.turns.idle
        async with self.turns.turn(visitor):
            # Who has not waited is still there; to ask costs as much as a small figure.
            if waits and await request.is_disconnected():
                raise GoneError
            with asking(visitor):
                context = contextvars.copy_context()
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.thread, context.run, make)


async def answered(
    request: Request, answer: Callable[[Query], Awaitable[Response]], *, refused: int = 200
) -> Response:
    """An answer, or plainly why there is none.

    Args:
        request: of a page of this app; what is too long for its address stands in its body.
        answer: from what is asked, in whose language it is given.
        refused: the status of a mistake that is said in words.
    """
    try:
        query = dict(request.query_params)
        if request.method == "POST":
            query |= await body_of(request)
            if not from_here(request):
                raise TooMuchError
        speak(query)
        return await answer(query)
    except (TooMuchError, TimeoutError):
        return Response(status_code=413)
    except GoneError:
        return Response(status_code=400)
    except BusyError as busy:
        return Response(status_code=429, headers={"Retry-After": str(busy.seconds)})
    except CoreError as problem:
        return JSONResponse({"said": as_said(problem)}, refused, media_type=REFUSED)


def speak(query: Query) -> None:
    """Take the language that an address asks for, if it is one of ours."""
    if query.get("_language") in available_languages():
        use_language(query["_language"])


def from_here(request: Request) -> bool:
    """Whether another site's page has not sent the question; who is no browser says nothing."""
    if request.method != "POST":
        return True
    site = request.headers.get("sec-fetch-site")  # browsers say it only over https, or at home
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


async def body_of(request: Request) -> Query:
    """What stands in its body; whoever sends that slowly holds a place, so it has to come soon."""
    body = bytearray()
    async with asyncio.timeout(ASKED_WITHIN):
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_ASKED:
                raise TooMuchError
    if body.count(b"&") >= MOST_NAMED:  # all other visitors wait while they are read
        raise TooMuchError
    return dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
