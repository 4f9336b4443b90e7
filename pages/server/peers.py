"""Several workers are one server: a figure is answered where its runs are.

A browser asks over several connections, which the system hands to any worker. Each would run the
model again for the same text, and train once more what another one trains. So one worker answers
the figures of a browser and its screens of the lessons, and one all that is made from the same kind
of job; whoever else is asked hands the question on, over a socket that only this machine has.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import zlib
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import aiohttp
import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from yarl import URL

from core import views
from core.answers.app import FIGURE_FILES
from core.errors import CoreError
from core.runs.request import Job
from pages.parts.prefix import prefix
from pages.parts.runs import workers
from pages.server.lessons import SCREEN
from pages.server.visitors import visitor_of

FOLDER = "GLASSFORMER_PEERS"  # names the folder of their sockets
FOR = b"glassformer-for"  # a header between workers: the address of whoever asks
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}
PIECE = 64 * 1024  # bytes
log = logging.getLogger("glassformer")


@lru_cache(1024)
def _works(view: str) -> bool:
    """Whether something is trained or measured for a view."""
    view_ = views.get(view)
    return any(isinstance(request, Job) for request in view_.requests(view_.Params()))


def owner(connection: HTTPConnection, view: str, n: int) -> int:
    """Which of ``n`` workers answers for a view: its topic decides, or else who asks."""
    try:
        works = _works(view)
    except CoreError:
        works = False  # whoever is asked says what is wrong
    visitor = visitor_of(connection)
    key = view.partition(".")[0] if works else visitor.browser or visitor.address
    return zlib.crc32(key.encode()) % n


class Peers:
    """Hands on what another worker answers.

    Attributes:
        number: the number of this worker; None where it is alone.
    """

    number: int | None = None
    _asks: dict[int, aiohttp.ClientSession]

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        view = _view_of(scope) if self.number is not None else ""
        if view:
            other = owner(HTTPConnection(scope), view, workers())
            if other != self.number and await self._handed_on(other, scope, receive, send):
                return
        await self._app(scope, receive, send)

    async def _handed_on(self, other: int, scope: Scope, receive: Receive, send: Send) -> bool:
        """What another worker answers; False if it is not there."""
        query = scope["query_string"].decode("latin-1")
        headers = [(name.decode("latin-1"), value.decode("latin-1"))
                   for name, value in scope["headers"] if name != FOR]  # fmt: skip
        headers.append((FOR.decode(), (scope.get("client") or ("", 0))[0]))
        posts: bool = scope["method"] == "POST"
        asking = asyncio.ensure_future(self._asks[other].request(
            scope["method"], URL(f"http://peer{quote(scope['path'])}?{query}", encoded=True),
            headers=headers, data=_body(receive) if posts else None, allow_redirects=False,
        ))  # fmt: skip
        if not posts and not await _waited_for(asking, receive):
            return True
        try:
            answer = await asking
        except aiohttp.ClientConnectionError:
            log.warning("worker %s is not there", other)
            if posts:  # nothing of it is left to read: the browser asks again
                await Response(status_code=503)(scope, receive, send)
            return posts
        async with answer:
            returned = [(name.lower().encode(), value.encode("latin-1"))
                        for name, value in answer.headers.items()
                        if name.lower() not in HOP_BY_HOP]  # fmt: skip
            await send(
                {"type": "http.response.start", "status": answer.status, "headers": returned}
            )
            async for piece in answer.content.iter_chunked(PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        return True


async def _waited_for(asking: asyncio.Future[Any], receive: Receive) -> bool:
    """Whether somebody is still there when the answer is; else nobody asks any more."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    leaving = asyncio.ensure_future(gone())
    await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if asking.done():
        return True
    asking.cancel()
    return False


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        more = message.get("more_body", False)
        yield message.get("body", b"")


def _view_of(scope: Scope) -> str:
    """The view of a figure's address, or what stands for a screen's; empty for all else."""
    if scope["type"] == "http" and scope["path"] == f"{prefix()}{SCREEN}":
        return SCREEN
    figures = f"{prefix()}{FIGURE_FILES}/"
    is_figure = scope["type"] == "http" and scope["path"].startswith(figures)
    return scope["path"].removeprefix(figures).rpartition(".")[0] if is_figure else ""


class _FromPeer:
    """Answers another worker as whoever has asked that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = dict(scope["headers"]).get(FOR, b"").decode("latin-1")
        await self._app({**scope, "client": (address, 0)}, receive, send)


class _Inner(uvicorn.Server):
    """A server within a server, which alone hears the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def joined(routes: list[BaseRoute]) -> AsyncIterator[None]:
    """Be one of several workers, where there are several.

    Args:
        routes: of the figures, and of the screens of the lessons.
    """
    folder = os.environ.get(FOLDER, "")
    if not folder or workers() == 1:
        yield
        return
    n_own, lock = _claimed(Path(folder))
    sockets = [str(Path(folder) / f"{n}.sock") for n in range(workers())]
    with contextlib.suppress(FileNotFoundError):
        os.unlink(sockets[n_own])  # of one that has ended
    inner = _Inner(uvicorn.Config(
        _FromPeer(Starlette(routes=routes)), uds=sockets[n_own], lifespan="off", ws="none",
        log_config=None, access_log=False,
    ))  # fmt: skip
    serving = asyncio.create_task(inner.serve())
    Peers._asks = {
        n: aiohttp.ClientSession(
            connector=aiohttp.UnixConnector(path, limit=0), auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(None),
        )
        for n, path in enumerate(sockets) if n != n_own
    }  # fmt: skip
    Peers.number = n_own
    try:
        yield
    finally:
        Peers.number = None
        for client in Peers._asks.values():
            await client.close()
        inner.should_exit = True
        await serving
        lock.close()


def _claimed(folder: Path) -> tuple[int, IO[bytes]]:
    """The number of this worker, and the file that says it is taken while the process lives.

    Raises:
        RuntimeError: there are more workers than numbers.
    """
    for n in range(workers()):
        file = (folder / f"{n}.lock").open("wb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        return n, file
    raise RuntimeError(f"more than {workers()} workers")
