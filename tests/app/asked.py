"""What the app's own routes answer, as a browser or a stranger asks them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.types import ASGIApp

from pages.server import files, lesson_files

HERE = "http://here.example:8501"
ROUTES = (*files.ROUTES, *lesson_files.ROUTES)


def learn(scenario: Callable[[], Awaitable[None]]) -> None:
    """Carry out what learners do; in a thread of its own, as a browser keeps a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scenario()).result()


def asked(
    path: str, query: dict[str, str] | None = None, **how: Any
) -> tuple[int, str, dict[str, str]]:
    """Status, content and headers of what the app's files answer; ``how`` as of ``received``."""
    return answered(Starlette(routes=[*ROUTES]), path, query, **how)


def answered(
    app: ASGIApp, path: str, query: dict[str, str] | None = None, **how: Any
) -> tuple[int, str, dict[str, str]]:
    """The same of any app."""
    status, content, said = received(app, path, query, **how)
    return status, content.decode(), said


def received(
    app: ASGIApp,
    path: str,
    query: dict[str, str] | None = None,
    *,
    method: str = "GET",
    body: bytes = b"",
    address: str = "192.0.2.1",
    **headers: str,
) -> tuple[int, bytes, dict[str, str]]:
    """The same, whose content is no text."""
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": urlencode(query or {}).encode(),
        "headers": [(name.replace("_", "-").encode(), said.encode())
                    for name, said in {"host": "here.example:8501", **headers}.items()],
        "client": (address, 1),
    }  # fmt: skip
    with ThreadPoolExecutor(1) as thread:  # Playwright keeps a loop running in this one
        return thread.submit(asyncio.run, _carried_out(app, scope, body)).result()


async def _carried_out(
    app: ASGIApp, scope: dict[str, Any], body: bytes
) -> tuple[int, bytes, dict[str, str]]:
    said = [{"type": "http.request", "body": body, "more_body": False}]
    heard: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if said:
            return said.pop()
        await asyncio.Event().wait()  # the connection stays open
        raise AssertionError

    async def send(message: Any) -> None:
        heard.append(message)

    await app(scope, receive, send)
    content = b"".join(message.get("body", b"") for message in heard[1:])
    headers = {name.decode(): value.decode() for name, value in heard[0]["headers"]}
    return heard[0]["status"], content, headers
