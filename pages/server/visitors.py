"""Who comes: the app's own cookie, and what of Streamlit's addresses is nobody's business."""

from __future__ import annotations

import os
import secrets
from collections import Counter

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.language import _, spoken, use_language
from core.runs.turn_queue import Visitor
from pages.parts.prefix import prefix
from pages.parts.visiting import COOKIE, visitor_from

METRICS = "_stcore/metrics"  # sessions and memory, for whoever asks
# What a page needs of Streamlit's own addresses (1.67), and how those that are no files begin.
NEEDED = frozenset({"_stcore/health", "_stcore/host-config", "_stcore/stream"})
STREAMLITS = frozenset({"_stcore", "component", "auth", "oauth2callback", "app"})

SOCKETS, SOCKETS_OF_CLASS = 12, 400  # of a browser, and of all browsers of an address
AGAIN, TRY_AGAIN_LATER = 10, 1013  # seconds; a code of RFC 6455


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who asks: browsers of one address are told apart where they show our cookie."""
    address = connection.client.host if connection.client else ""
    return visitor_from(address, connection.cookies)


def browsers_language(connection: HTTPConnection) -> str:
    """What a browser would rather read, in two letters; empty where it does not say."""
    return connection.headers.get("accept-language", "")[:2].lower()


class Door:
    """Gives a browser its cookie, which says nothing but that it is the same one as before.

    A page has a socket; a browser with too many reads so in the place of a further page.
    Nobody uploads, logs in or calls an agent here, so what Streamlit has for that is not found.
    Metrics are shown where ``GLASSFORMER_METRICS`` is 1.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        shown = os.environ.get("GLASSFORMER_METRICS") == "1"
        self._open = NEEDED | {METRICS} if shown else NEEDED
        self._sockets: Counter[Visitor | str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._connected(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._closed(scope["path"]):
            await PlainTextResponse("", status_code=404)(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        opens = "text/html" in connection.headers.get("accept", "")
        if opens and not self._is_file(scope["path"]) and self._full(connection):
            await _full_house(connection)(scope, receive, send)
            return
        send = _no_page(send)
        if not opens or visitor_of(connection).browser:
            await self._app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Lax"
                headers = [*message.get("headers", []), (b"set-cookie", cookie.encode())]
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, with_cookie)

    async def _connected(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket, for as long as it is open, if there is one left."""
        connection = HTTPConnection(scope)
        if self._full(connection):
            # To a browser's code it is closed, whatever is said; others can read it.
            if "websocket.http.response" in scope.get("extensions", {}):
                await _full_house(connection)(scope, receive, send)
            else:  # the server cannot answer in the place of a socket
                await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        visitor = visitor_of(connection)
        self._sockets.update((visitor, visitor.address))
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets.subtract((visitor, visitor.address))
            self._sockets += Counter()  # who has none is forgotten

    def _full(self, connection: HTTPConnection) -> bool:
        """Whether a browser, or an address, has as many sockets as it may have.

        Who shows no cookie may be one browser of a class that keeps none: the address counts.
        """
        visitor = visitor_of(connection)
        n_sockets = self._sockets[visitor] if visitor.browser else 0
        return n_sockets >= SOCKETS or self._sockets[visitor.address] >= SOCKETS_OF_CLASS

    @staticmethod
    def _is_file(path: str) -> bool:
        return path.removeprefix(prefix()).strip("/").startswith(("figure/", "lesson/"))

    def _closed(self, path: str) -> bool:
        """Whether it is an address of Streamlit's that no page needs."""
        address = path.removeprefix(prefix()).strip("/")
        return address.partition("/")[0] in STREAMLITS and address not in self._open


def _full_house(connection: HTTPConnection) -> PlainTextResponse:
    """That no further page can be opened, and what to do."""
    code = connection.query_params.get("language", "")
    use_language(spoken(code, browsers_language(connection)))
    text = _(
        "Too many pages of this app are open in this browser, or on this network. Close some, and "
        "try again in {n} s."
    ).format(n=AGAIN)
    return PlainTextResponse(text, 429, {"Retry-After": str(AGAIN), "Refresh": str(AGAIN)})


def _no_page(send: Send) -> Send:
    """Say that there is none where Streamlit answers with its own document: ours come from routes.

    The document is sent all the same, and says it.
    """

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = Headers(raw=message["headers"])
            if "etag" in headers and headers.get("content-type", "").startswith("text/html"):
                message = {**message, "status": 404}
        await send(message)

    return answer
