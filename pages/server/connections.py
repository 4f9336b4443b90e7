"""What a connection may cost before anything whole has come by it.

Neither uvicorn (0.54) nor Streamlit (1.67) bounds that: who sends the head of a request byte by
byte, or takes nothing of an answer, keeps a connection for as long as she likes, and a message to a
page is read to 50 MB before it is refused, by each of an address's 400 sockets.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import wraps
from typing import Any

from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.http.auto import AutoHTTPProtocol

LOOK, LOOKS = 5.0, 3  # seconds; nothing has come or gone for so many looks: nobody is there


def bound_connections() -> None:
    """Let no connection wait for ever, and no message be long; once in a process."""
    _open_as_many_as_allowed()
    if hasattr(AutoHTTPProtocol.connection_made, "__wrapped__"):
        return
    original = AutoHTTPProtocol.connection_made

    @wraps(original)
    def connection_made(protocol: Any, transport: asyncio.Transport) -> None:
        protocol.config.ws_max_size = get_max_widget_state_size_bytes()
        original(protocol, transport)
        asyncio.get_running_loop().call_later(LOOK, _look, protocol, None, 0)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore[assignment, method-assign]


def _look(protocol: Any, before: tuple[int, object] | None, looks: int) -> None:
    """Close a connection by which no whole request comes, or of which no answer is taken.

    Args:
        protocol: uvicorn's, of the connection.
        before: how it stood at the last look.
        looks: for how many of them it has stood so.
    """
    transport = protocol.transport
    if transport.get_protocol() is not protocol:  # it is a socket now, or closed
        return
    now = _stands(protocol)
    looks = looks + 1 if now is not None and now == before else 0
    if looks == LOOKS:
        transport.abort()
        return
    asyncio.get_running_loop().call_later(LOOK, _look, protocol, now, looks)


def _stands(protocol: Any) -> tuple[int, object] | None:
    """What is unsent, and the last request; None while that is being answered."""
    unsent, last = protocol.transport.get_write_buffer_size(), protocol.cycle
    at_work = last is not None and not last.response_complete
    return None if at_work and not unsent else (unsent, last)


def _open_as_many_as_allowed() -> None:
    """Have as many files and connections open as the system lets this process have.

    Most systems begin one with 1,024, which the sockets of three classes fill, and allow more.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        _now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
