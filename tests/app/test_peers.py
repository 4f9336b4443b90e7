"""Several workers are one server: who answers what, and that it is handed on as it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.server import peers
from pages.server.lessons import SCREEN
from pages.server.peers import FOLDER, Peers, joined, owner
from pages.server.visitors import visitor_of

VIEW = "attention.row"
COOKIE = "glassformer_visitor={:032x}"


def scope(view: str, number: int = 0, query: bytes = b"", method: str = "GET") -> dict[str, Any]:
    """A browser asks for a figure."""
    return {
        "type": "http", "method": method, "path": f"/figure/{view}.bin", "query_string": query,
        "headers": [(b"cookie", COOKIE.format(number).encode()), (b"host", b"here.example")],
        "client": ("192.0.2.7", 1),
    }  # fmt: skip


def test_the_figures_of_a_browser_are_answered_by_one_worker():
    found = [owner(HTTPConnection(scope(VIEW, n)), VIEW, 4) for n in range(400)]
    assert {found.count(n) > 50 for n in range(4)} == {True}  # each has a share
    for view in ("attention.steps", "masks.grid", "predict.next"):
        assert [owner(HTTPConnection(scope(view, n)), view, 4) for n in range(400)] == found


def test_what_trains_is_answered_by_one_worker_whoever_asks():
    for views in (("learning.practice",), ("beyond.learning",), ("masks.learning",)):
        own = {owner(HTTPConnection(scope(v, n)), v, 4) for v in views for n in range(40)}
        assert len(own) == 1


def test_the_screens_of_a_browser_are_answered_by_the_worker_that_answers_its_figures():
    for n in range(40):
        asks = HTTPConnection(scope(VIEW, n))
        assert owner(asks, SCREEN, 4) == owner(asks, VIEW, 4)


def test_a_view_that_there_is_not_is_somebodys_all_the_same():
    assert owner(HTTPConnection(scope("no.view")), "no.view", 2) in (0, 1)


async def here(request: Request) -> JSONResponse:
    """Says what it was asked, and by whom."""
    return JSONResponse({
        "who": visitor_of(request).address, "path": request.url.path,
        "query": dict(request.query_params), "body": (await request.body()).decode(),
        "browser": visitor_of(request).browser, "host": request.headers["host"],
    }, headers={"ETag": "x"})  # fmt: skip


async def asked(app: Any, scope: dict[str, Any], body: bytes = b"") -> tuple[bytes, dict]:
    """What is answered, and its headers."""
    said, heard = [{"type": "http.request", "body": body, "more_body": False}], []

    async def receive() -> dict[str, Any]:
        if said:
            return said.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        heard.append(message)

    await app(scope, receive, send)
    headers = {**dict(heard[0]["headers"]), b"status": heard[0]["status"]}
    return b"".join(one.get("body", b"") for one in heard[1:]), headers


@pytest.fixture
def two(monkeypatch, tmp_path):
    """Runs something in the first of two workers, beside the second one if that is there."""
    monkeypatch.setenv("GLASSFORMER_WORKERS", "2")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    routes = [Route("/figure/{file}", here, methods=["GET", "POST"]),
              Route(SCREEN, here, methods=["POST"])]  # fmt: skip

    def run(does: Callable[[Any], Any], *, beside: bool = True) -> Any:
        async def in_first() -> Any:
            async with joined(routes):
                assert Peers.number == 0
                second = peers._Inner(uvicorn.Config(
                    peers._FromPeer(Starlette(routes=routes)), uds=str(tmp_path / "1.sock"),
                    lifespan="off", log_config=None,
                ))  # fmt: skip
                serving = asyncio.create_task(second.serve()) if beside else None
                while beside and not second.started:
                    await asyncio.sleep(0.01)
                try:
                    return await does(Peers(own))
                finally:
                    second.should_exit = True
                    if serving is not None:
                        await serving

        async def own(_scope: Any, _receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"own"})

        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, in_first()).result()

    yield run
    assert Peers.number is None


def of(worker: int) -> int:
    """A browser that a worker answers."""
    return next(n for n in range(100) if owner(HTTPConnection(scope(VIEW, n)), VIEW, 2) == worker)


def test_a_question_is_handed_on_as_it_was_asked(two):
    async def does(app: Any) -> None:
        assert (await asked(app, scope(VIEW, of(0))))[0] == b"own"
        content, headers = await asked(app, scope(VIEW, of(1), b"text=a%26b+c&layer=2"))
        assert (
            content.decode() == JSONResponse({
                "who": "192.0.2.7", "path": f"/figure/{VIEW}.bin",
                "query": {"text": "a&b c", "layer": "2"}, "body": "",
                "browser": f"{of(1):032x}", "host": "here.example",
            }).body.decode()
        )  # fmt: skip
        assert headers[b"etag"] == b"x"
        content, _headers = await asked(app, scope(VIEW, of(1), method="POST"), b"text=long")
        assert b'"body":"text=long"' in content

    two(does)


def test_a_screen_of_the_lessons_is_handed_on_too(two):
    async def does(app: Any) -> None:
        asks = {**scope(VIEW, of(1), method="POST"), "path": SCREEN}
        content, _headers = await asked(app, asks, b"lesson=attention")
        assert b'"path":"/lesson/screen"' in content
        assert b'"body":"lesson=attention"' in content
        paper = {**scope(VIEW, of(1)), "path": "/lesson/attention.html"}
        assert (await asked(app, paper))[0] == b"own"

    two(does)


def test_nobody_says_for_whom_she_asks(two):
    async def does(app: Any) -> None:
        forged = scope(VIEW, of(1))
        forged["headers"].append((peers.FOR, b"203.0.113.1"))
        assert b'"who":"192.0.2.7"' in (await asked(app, forged))[0]

    two(does)


def test_what_a_worker_that_is_not_there_would_answer_is_answered_here(two):
    async def does(app: Any) -> None:
        assert (await asked(app, scope(VIEW, of(1))))[0] == b"own"
        # What was sent along is read once: the browser is told to ask again.
        content, headers = await asked(app, scope(VIEW, of(1), method="POST"), b"text=long")
        assert (content, headers[b"status"]) == (b"", 503)

    two(does, beside=False)


def test_a_question_that_nobody_waits_for_is_given_up():
    async def does() -> None:
        asking = asyncio.get_running_loop().create_future()

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        assert not await peers._waited_for(asking, receive)
        assert asking.cancelled()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, does()).result()
