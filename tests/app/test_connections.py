"""Who sends the head of a request for ever, or a message without end, holds nothing for long."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pages.server import connections
from tests.runs.test_jobs import until

WITHIN, SAID = 0.1, 1000  # of these tests: seconds of a head, and bytes of a message
PATIENCE = 60.0


async def app(scope, receive, send) -> None:
    """Answers after five times as long as a head may take; a socket gets back what it says."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (said := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "bytes": said["bytes"]})
    if scope["type"] == "http":
        await asyncio.sleep(5 * WITHIN)
        await send({"type": "http.response.start", "status": 200,
                    "headers": [(b"content-length", b"4")]})  # fmt: skip
        await send({"type": "http.response.body", "body": b"here"})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where such an app is served, as Streamlit would, with the app's own bounds."""
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
    monkeypatch.setattr(connections, "HEAD_WITHIN", WITHIN)
    monkeypatch.setattr(connections, "get_max_widget_state_size_bytes", lambda: SAID)
    connections.bound_connections()
    own = socket.create_server(("127.0.0.1", 0))
    settings = uvicorn.Config(app, ws="websockets-sansio", ws_max_size=50_000_000, lifespan="off",
                              timeout_keep_alive=3600)  # fmt: skip
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([own],), daemon=True)
    thread.start()
    until(lambda: server.started)
    yield own.getsockname()[1]
    server.should_exit = True
    thread.join(PATIENCE)


def opened(port: int, said: bytes) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    found.sendall(said)
    return found


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: here\r\nX: "])
def test_a_head_that_never_ends_is_waited_for_no_longer(port, said):
    with opened(port, said) as one:
        assert one.recv(1000) == b""


def test_a_second_head_is_no_way_to_stay(port):
    with opened(port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\nGET / HTTP/1.1\r\nX: ") as one:
        answer = b""
        while piece := one.recv(1000):
            answer += piece
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.count(b"here") == 1


def test_what_is_answered_may_take_longer(port):
    with opened(port, b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n") as one:
        answer = b""
        while piece := one.recv(1000):
            answer += piece
        assert answer.endswith(b"here")


def test_a_socket_stays_open_and_says_no_more_than_a_page_needs(port):
    async def scenario() -> None:
        async with connect(f"ws://127.0.0.1:{port}/", compression=None) as one:
            await asyncio.sleep(5 * WITHIN)
            await one.send(b"a" * SAID)
            assert await one.recv() == b"a" * SAID
            # The beginning of a message of 45 MB, of which no more comes.
            one.transport.write(bytes([0x82, 0x80 | 127]) + (45_000_000).to_bytes(8, "big"))
            one.transport.write(bytes(4) + b"a" * SAID)
            with pytest.raises(ConnectionClosed) as closed:
                await asyncio.wait_for(one.recv(), PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    asyncio.run(scenario())


def test_a_message_is_bounded_as_a_state_of_all_controls_is():
    assert connections.get_max_widget_state_size_bytes() == 1_000_000


def test_as_many_files_are_open_as_the_system_allows(monkeypatch):
    set_to = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, how: set_to.append(how))
    connections._open_as_many_as_allowed()
    assert set_to == [(4096, 4096)]
