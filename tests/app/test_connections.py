"""Who sends the head of a request for ever, or a message without end, holds nothing for long."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
from collections.abc import Iterator
from unittest.mock import MagicMock

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
        body = b"here" * 4_000_000 if scope["path"] == "/large" else b"here"
        length = str(len(body)).encode()
        await send({"type": "http.response.start", "status": 200,
                    "headers": [(b"content-length", length)]})  # fmt: skip
        for at in range(0, len(body), 2**20 if scope["query_string"] else len(body)):
            piece = body[at : at + 2**20] if scope["query_string"] else body
            more = at + len(piece) < len(body)
            await send({"type": "http.response.body", "body": piece, "more_body": more})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[uvicorn.Server]:
    """Where such an app is served, as Streamlit would, with the app's own bounds."""
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
    monkeypatch.setattr(connections, "LOOK", WITHIN / connections.LOOKS)
    monkeypatch.setattr(connections, "get_max_widget_state_size_bytes", lambda: SAID)
    connections.bound_connections()
    own = socket.create_server(("127.0.0.1", 0))
    settings = uvicorn.Config(app, ws="websockets-sansio", ws_max_size=50_000_000, lifespan="off",
                              timeout_keep_alive=3600)  # fmt: skip
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([own],), daemon=True)
    thread.start()
    until(lambda: server.started)
    yield server
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture
def port(server: uvicorn.Server) -> int:
    (own,) = server.servers[0].sockets
    return own.getsockname()[1]


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


@pytest.mark.parametrize("path", ["/large", "/large?pieces"])
@pytest.mark.parametrize("head", ["", "Connection: close\r\n"])
def test_who_takes_nothing_of_an_answer_keeps_no_connection(server, port, path, head):
    with opened(port, f"GET {path} HTTP/1.1\r\nHost: here\r\n{head}\r\n".encode()):
        until(lambda: server.server_state.connections)
        until(lambda: not server.server_state.connections)


@pytest.mark.parametrize(
    ("unsent", "closed"), [((9, 8, 8, 8, 7, 7, 7, 0, 0, 0, 0, 0), 0), ((9, 8, 8, 8, 8, 7), 1)]
)
def test_who_takes_it_slowly_has_all_of_it(monkeypatch, unsent, closed):
    monkeypatch.setattr(connections, "LOOK", 0.0)
    left, transport = list(unsent), MagicMock()
    one = MagicMock(transport=transport, cycle=MagicMock(response_complete=False))
    transport.get_protocol = lambda: one if left else None
    transport.get_write_buffer_size = lambda: left.pop(0)

    async def scenario() -> None:
        connections._look(one, None, 0)
        for _look in unsent:
            await asyncio.sleep(0.001)

    asyncio.run(scenario())
    assert transport.abort.call_count == closed


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


def test_as_many_files_are_open_as_the_system_allows(monkeypatch):
    set_to = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, how: set_to.append(how))
    connections._open_as_many_as_allowed()
    assert set_to == [(4096, 4096)]
