"""How a route makes a file: in its turn, in a thread of its own, in pieces, and back to the disk.

What a stranger asks for takes no more than its share: of the processor one thread, of the results
that a class looks at nothing (``runs.for_files``), of memory a piece at a time. What is ready waits
for nothing that takes long: that is made by another process, where visitors have turns of their
own, and what has to be trained first is a job like any other.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from core.errors import CoreError
from core.language import _
from core.runs.processes import give_back
from core.runs.progress import JobProgress
from core.runs.request import Job
from core.runs.turn_queue import Visitor
from pages.parts.runs import workers
from pages.server.apart import (
    MOST_MADE,
    MOST_SECONDS,
    FileProcess,
    SaidError,
    TooLargeError,
    TooLongError,
)
from pages.server.asking import (
    ASKED_WITHIN,
    AnswerThread,
    GoneError,
    Query,
    TooMuchError,
    body_of,
    from_here,
    speak,
)
from pages.server.trained import NotYetError, trained
from pages.server.turns import BusyError, Turns
from pages.server.visitors import visitor_of

log = logging.getLogger("glassformer")
SLOWEST = 2**16  # bytes a second at which an answer has to be taken, or its place is another's
IN_MEMORY, PIECE = 2**18, 2**16
HEAVY = 2**20  # bytes of a file after which memory is given back
FULL = (errno.ENOSPC, errno.EDQUOT)

# Any worker may get a visitor's next question: what all of them allow together stays bounded.
_here = AnswerThread(
    Turns(max(2, 4 // workers()), max(10, 40 // workers()), max(30, 120 // workers())),
    ThreadPoolExecutor(1, "files"),
)
# Of those who have a place: what the other process makes.
_elsewhere = AnswerThread(Turns(), ThreadPoolExecutor(1, "files-apart"))
_apart: list[FileProcess] = []  # none in a notebook or a test


@dataclass(frozen=True)
class Elsewhere:
    """A file that the other process makes: a function of a module, and what it is given."""

    make: Callable[..., Iterable[str]]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class After:
    """A file that is made when jobs have come to their end.

    Attributes:
        jobs: which.
        device: for them.
        then: makes it, from what they have told.
    """

    jobs: tuple[Job, ...]
    device: str
    then: Callable[[Mapping[Job, JobProgress]], Iterable[str] | Elsewhere]


Made = Iterable[str] | Elsewhere | After


@contextlib.contextmanager
def beside() -> Iterator[None]:
    """While the app runs: what takes long is made in another process."""
    _apart.append(FileProcess())
    try:
        yield
    finally:
        _apart.pop().close()


async def answer(
    request: Request, make: Callable[[Query], Made], kind: str, headers: dict[str, str]
) -> Response:
    """A file; a mistake in what is asked is said in plain words.

    Args:
        request: whose parameters stand in its address, or in its body if they are too long.
        make: from the parameters to the pieces of the file, or to what makes it.
        kind: its media type.
        headers: further ones.
    """
    query = dict(request.query_params)
    speak(query)
    if not from_here(request):
        return PlainTextResponse(_("Files are made for this app's own pages."), status_code=403)
    visitor = visitor_of(request)
    try:
        _here.turns.enter(visitor)
    except BusyError as busy:
        text = _("Many files are being made. Try again in {n} s.").format(n=busy.seconds)
        return PlainTextResponse(text, 429, {"Retry-After": str(busy.seconds)})
    try:
        query |= await body_of(request)
        speak(query)
        file = await _make_in_turn(request, partial(make, query), visitor)
    except BaseException as problem:
        _here.turns.leave(visitor)
        if not isinstance(problem, Exception):
            raise
        return _answer_problem(problem)
    return _Sent(file, kind, headers, lambda: _here.turns.leave(visitor))


async def _make_in_turn(request: Request, make: Callable[[], Made], visitor: Visitor) -> BinaryIO:
    """The file, made in its turn."""
    content = await _here.make_here(request, visitor, partial(_written, make))
    if isinstance(content, After):
        done = await trained(content.jobs, content.device, visitor, request.is_disconnected)
        then = partial(_written, partial(content.then, done))
        content = await _here.make_here(request, visitor, then)
    if isinstance(content, Elsewhere):
        pieces = partial(_written, partial(_made_apart, content))
        content = await _elsewhere.make_here(request, visitor, pieces)
    assert not isinstance(content, Elsewhere | After)
    if _here.turns.idle and content.tell() > HEAVY:
        await asyncio.get_running_loop().run_in_executor(_here.thread, give_back)
    return content


def _made_apart(file: Elsewhere) -> Iterable[str]:
    """What the other process makes, if there is one."""
    return _apart[0].pieces(file.make, *file.arguments) if _apart else file.make(*file.arguments)


def _written(make: Callable[[], Made]) -> BinaryIO | Elsewhere | After:
    """A file on the disk, if it is large; written piece by piece."""
    content = make()
    if isinstance(content, Elsewhere | After):
        return content
    file: Any = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it is sent later)
    try:
        for piece in content:
            file.write(piece.encode())
            if file.tell() > MOST_MADE:
                raise TooLargeError
    except BaseException:
        with contextlib.suppress(OSError):  # there is no room for the rest of it, either
            file.close()
        raise
    written: BinaryIO = file
    return written


def _answer_problem(problem: Exception) -> Response:
    """What went wrong, in plain words; a surprise is in the log, under the number that is said."""
    if isinstance(problem, NotYetError):
        again = str(problem.seconds)
        return PlainTextResponse(str(problem), 503, {"Retry-After": again, "Refresh": again})
    mistake = _mistake(problem)
    if mistake is not None:
        return PlainTextResponse(mistake[1], status_code=mistake[0])
    if isinstance(problem, GoneError):
        return Response(status_code=400)
    ident = uuid.uuid4().hex[:8]
    log.error("file failed, id %s", ident, exc_info=problem)
    text = _("This file could not be made. If it happens again, report it with the number {id}.")
    return PlainTextResponse(text.format(id=ident), status_code=400)


def _mistake(problem: Exception) -> tuple[int, str] | None:
    """A status, and what is wrong with the question, or with the server's disk."""
    match problem:
        case SaidError():
            return 400, str(problem)
        case CoreError():
            return 400, problem.sentence()
        case TimeoutError():
            return 408, _(
                "Your request did not arrive in full within {n} s. Send it again."
            ).format(n=round(ASKED_WITHIN))
        case TooMuchError():
            return 413, _("The text is too long: shorten it.")
        case TooLargeError():
            sentence = _("This file would be larger than {n} MB: shorten the text.")
            return 413, sentence.format(n=MOST_MADE // 2**20)
        case TooLongError():
            sentence = _("This file would take longer than {n} s to make: shorten the text.")
            return 413, sentence.format(n=MOST_SECONDS)
        case OSError() if problem.errno in FULL:
            log.error("no room for a file in %s: %s", tempfile.tempdir, problem)
            return 507, _(
                "The disk of this server is full, so no file can be made. Tell whoever runs it."
            )
    return None


class _Sent(StreamingResponse):
    """A file that is closed, and its place given back, when it was sent or nobody takes it."""

    def __init__(
        self, file: BinaryIO, kind: str, headers: dict[str, str], done: Callable[[], None]
    ) -> None:
        self._file, self._done = file, done
        self._within = ASKED_WITHIN + file.tell() / SLOWEST
        headers = {**headers, "Content-Length": str(file.tell())}
        super().__init__(_pieces(file), media_type=kind, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._within):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            log.warning("a file was not taken within %.0f s", self._within)
        finally:
            self._file.close()
            self._done()


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while piece := file.read(PIECE):
        yield piece
