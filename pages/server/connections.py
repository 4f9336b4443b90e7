"""What a connection may cost before anything whole has come by it.

Neither uvicorn (0.54) nor Streamlit (1.67) bounds that: who sends the head of a request byte by
byte keeps a connection for as long as she likes, and a message to a page is read to 50 MB before
it is refused, by each of an address's 400 sockets.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import wraps
from typing import Any

from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_WITHIN = 10.0  # seconds in which the head of a request has to come


def bound_connections() -> None:
    """Let no connection wait for ever, and no message be long; once in a process."""
    _open_as_many_as_allowed()
    if hasattr(AutoHTTPProtocol.connection_made, "__wrapped__"):
        return
    made = AutoHTTPProtocol.connection_made

    @wraps(made)
    def connection_made(protocol: Any, transport: asyncio.Transport) -> None:
        protocol.config.ws_max_size = get_max_widget_state_size_bytes()
        made(protocol, transport)
        asyncio.get_running_loop().call_later(HEAD_WITHIN, _look, protocol, None)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore[assignment, method-assign]


def _look(protocol: Any, before: object) -> None:
    """Close a connection by which no request has come since the last look, nor is answered.

    Args:
        protocol: uvicorn's, of the connection.
        before: the last request that had been answered then; None for none.
    """
    transport, last = protocol.transport, protocol.cycle
    if transport.is_closing() or transport.get_protocol() is not protocol:  # it is a socket now
        return
    rests = last is None or last.response_complete
    if rests and last is before:
        transport.abort()
        return
    seen = last if rests else protocol  # which is no request: what is at work is not looked at
    asyncio.get_running_loop().call_later(HEAD_WITHIN, _look, protocol, seen)


def _open_as_many_as_allowed() -> None:
    """Have as many files and connections open as the system lets this process have.

    Most systems begin one with 1,024, which the sockets of three classes fill, and allow more.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        _now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
