"""Who comes: the app's own cookie, and what of Streamlit's addresses is nobody's business."""

from __future__ import annotations

import os
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.runs.line import Visitor
from pages.parts.prefix import prefix
from pages.parts.visiting import COOKIE, visitor_from

METRICS = "_stcore/metrics"  # sessions and memory, for whoever asks
# What a page needs of Streamlit's own addresses (1.67), and how those that are no files begin.
NEEDED = frozenset({"_stcore/health", "_stcore/host-config", "_stcore/stream"})
STREAMLITS = frozenset({"_stcore", "component", "auth", "oauth2callback", "app"})


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who asks: browsers of one address are told apart where they show our cookie."""
    address = connection.client.host if connection.client else ""
    return visitor_from(address, connection.cookies)


class Door:
    """Gives a browser its cookie, which says nothing but that it is the same one as before.

    Nobody uploads, logs in or calls an agent here, so what Streamlit has for that is not found.
    Metrics are shown where ``GLASSFORMER_METRICS`` is 1.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        shown = os.environ.get("GLASSFORMER_METRICS") == "1"
        self._open = NEEDED | {METRICS} if shown else NEEDED

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._closed(scope["path"]):
            await PlainTextResponse("", status_code=404)(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        opens = "text/html" in connection.headers.get("accept", "")
        if not opens or visitor_of(connection).browser:
            await self._app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = f"{COOKIE}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Lax"
                headers = [*message.get("headers", []), (b"set-cookie", given.encode())]
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, with_cookie)

    def _closed(self, path: str) -> bool:
        """Whether it is an address of Streamlit's that no page needs."""
        own = path.removeprefix(prefix()).strip("/")
        return own.partition("/")[0] in STREAMLITS and own not in self._open
