"""How a route makes a file: in its turn, in a thread of its own, in pieces, and back to the disk.

What a stranger asks for takes no more than its share: of the processor one thread, of the results
that a class looks at nothing (``runs.for_files``), of memory a piece at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from core.errors import CoreError
from core.language import _, available_languages, use_language
from core.runs.line import Visitor
from core.runs.processes import give_back
from pages.parts.runs import workers
from pages.server.apart import MOST_MADE, Apart, SaidError, TooLargeError
from pages.server.turns import BusyError, Turns
from pages.server.visitors import visitor_of

log = logging.getLogger("glassformer")
MOST_ASKED = 500_000  # bytes of a question: two texts as long as a field takes, written as %F0...
IN_MEMORY, PIECE = 2**18, 2**16
HEAVY = 2**20  # bytes of a file after which memory is given back

Query = dict[str, str]
# Any worker may get a visitor's next question: what all of them allow together stays bounded.
turns = Turns(max(2, 4 // workers()), max(10, 40 // workers()), max(30, 120 // workers()))
_maker = ThreadPoolExecutor(1, "files")
_apart: list[Apart] = []  # none in a notebook or a test


class _GoneError(Exception):
    """Nobody waits for the answer any more."""


@contextlib.contextmanager
def beside() -> Iterator[None]:
    """While the app runs: what takes long is made in another process."""
    _apart.append(Apart())
    try:
        yield
    finally:
        _apart.pop().close()


def made_apart(make: Callable[..., Iterable[str]], *given: Any) -> Iterable[str]:
    """What a function of a module gives, from the other process, if there is one."""
    return _apart[0].pieces(make, *given) if _apart else make(*given)


async def answer(
    request: Request, make: Callable[[Query], Iterable[str]], kind: str, headers: dict[str, str]
) -> Response:
    """A file; a mistake in what is asked is said in plain words.

    Args:
        request: whose parameters stand in its address, or in its body if they are too long.
        make: from the parameters to the pieces of the file.
        kind: its media type.
        headers: further ones.
    """
    if not _from_here(request):
        return PlainTextResponse(_("Files are made for this app's own pages."), status_code=403)
    try:
        query = dict(request.query_params) | await _body(request)
    except TooLargeError:
        return PlainTextResponse(_("The text is too long: shorten it."), status_code=413)
    speak(query)
    visitor = visitor_of(request)
    try:
        turns.enter(visitor)
    except BusyError as busy:
        said = _("Many files are being made. Try again in {n} s.").format(n=busy.seconds)
        return PlainTextResponse(said, 429, {"Retry-After": str(busy.seconds)})
    try:
        file = await _made(request, make, query, visitor)
    except BaseException as problem:
        turns.leave(visitor)
        if not isinstance(problem, Exception):
            raise
        return _said(problem)
    return _Sent(file, kind, headers, lambda: turns.leave(visitor))


def speak(query: Query) -> None:
    """Take the language that an address asks for, if it is one of ours."""
    if query.get("_language") in available_languages():
        use_language(query["_language"])


def number(text: str, most: int) -> int | None:
    """A whole number that a stranger wrote, at most so large; None for what is none."""
    return min(int(text), most) if text.isdecimal() and len(text) <= 9 else None


def _from_here(request: Request) -> bool:
    """Whether another site's page has not sent the question; who is no browser says nothing."""
    if request.method != "POST":
        return True
    site = request.headers.get("sec-fetch-site")  # browsers say it only over https, or at home
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


async def _body(request: Request) -> Query:
    said = b""
    async for piece in request.stream():
        said += piece
        if len(said) > MOST_ASKED:
            raise TooLargeError
    return dict(parse_qsl(said.decode(errors="replace"), keep_blank_values=True))


async def _made(
    request: Request, make: Callable[[Query], Iterable[str]], query: Query, visitor: Visitor
) -> BinaryIO:
    """The file, made in its turn."""
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()
    async with turns.turn(visitor):
        if await request.is_disconnected():
            raise _GoneError
        file = await loop.run_in_executor(_maker, context.run, _written, make, query)
    if turns.idle and file.tell() > HEAVY:
        await loop.run_in_executor(_maker, give_back)
    return file


def _written(make: Callable[[Query], Iterable[str]], query: Query) -> BinaryIO:
    """A file on the disk, if it is large; written piece by piece."""
    file: Any = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it is sent later)
    try:
        for piece in make(query):
            file.write(piece.encode())
            if file.tell() > MOST_MADE:
                raise TooLargeError
    except BaseException:
        file.close()
        raise
    found: BinaryIO = file
    return found


def _said(problem: Exception) -> Response:
    """What went wrong, in plain words; a surprise is in the log, under the number that is said."""
    if isinstance(problem, SaidError):
        return PlainTextResponse(str(problem), status_code=400)
    if isinstance(problem, CoreError):
        return PlainTextResponse(problem.sentence(), status_code=400)
    if isinstance(problem, TooLargeError):
        said = _("This file would be larger than {n} MB: shorten the text.")
        return PlainTextResponse(said.format(n=MOST_MADE // 2**20), status_code=413)
    if isinstance(problem, _GoneError):
        return Response(status_code=400)
    ident = uuid.uuid4().hex[:8]
    log.error("file failed, id %s", ident, exc_info=problem)
    said = _("This file could not be made. If it happens again, report it with the number {id}.")
    return PlainTextResponse(said.format(id=ident), status_code=400)


class _Sent(StreamingResponse):
    """A file that is closed, and whose place is given back, when it was sent or nobody took it."""

    def __init__(
        self, file: BinaryIO, kind: str, headers: dict[str, str], done: Callable[[], None]
    ) -> None:
        self._file, self._done = file, done
        headers = {**headers, "Content-Length": str(file.tell())}
        super().__init__(_pieces(file), media_type=kind, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()
            self._done()


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while piece := file.read(PIECE):
        yield piece
