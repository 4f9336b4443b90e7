"""Who a page is for, and her place among all whose pages are run."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace

import streamlit as st

from core.runs.line import Line, Visitor
from pages.parts import hooks
from pages.parts.session import own_session

COOKIE = "glassformer_visitor"
EACH, ADDRESS = 1, 2  # runs of a browser at a time, and of all browsers of an address
LOOK = 1.0  # seconds after which one who waits looks whether she is still wanted
_OURS = re.compile(r"[0-9a-f]{32}")


def visitor_from(address: str, cookies: Mapping[str, str]) -> Visitor:
    """Who comes: browsers of one address are told apart where they show our cookie."""
    said = cookies.get(COOKIE, "")
    ours = isinstance(said, str) and _OURS.fullmatch(said)
    return Visitor(network(address), said if ours else "")


def network(address: str) -> str:
    """What of an address its owner cannot choose: with IPv6 everybody has 2⁶⁴ of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.is_loopback and found.compressed in ("127.0.0.1", "::1"):
        return ""  # as Streamlit says it
    if isinstance(found, ipaddress.IPv4Address):
        return found.compressed
    inside = found.ipv4_mapped
    return str(inside or ipaddress.ip_network((int(found), 64), strict=False))


def visitor_here() -> Visitor:
    """For whom the script runs; each tab of a browser without a cookie counts by itself."""
    address = st.context.ip_address
    found = visitor_from(address if isinstance(address, str) else "", st.context.cookies)
    return found if found.browser else replace(found, browser=own_session().ident)


class Places:
    """Places for what is at work; who finds none waits for her turn.

    Python runs one thread at a time: beside twenty runs of one visitor, a click has every
    twentieth turn at the processor, however little it needs.

    Args:
        each: places of a visitor.
        address: places of all visitors of an address.
    """

    def __init__(self, each: int = EACH, address: int = ADDRESS) -> None:
        self._each, self._address = each, address
        self._line: Line[threading.Event] = Line()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def held(self, visitor: Visitor, go_on: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold a place.

        Args:
            visitor: whose it is.
            go_on: called now and then while she waits; what it raises ends the waiting.
        """
        self._take(visitor, go_on)
        try:
            yield
        finally:
            self._leave(visitor)

    @contextlib.contextmanager
    def lent(self, visitor: Visitor) -> Iterator[None]:
        """Let others have the place meanwhile."""
        self._leave(visitor)
        try:
            yield
        finally:
            self._take(visitor, lambda: None)

    def _take(self, visitor: Visitor, go_on: Callable[[], None]) -> None:
        called = threading.Event()
        with self._lock:
            self._line.join(visitor, called)
            self._call()
        try:
            while not called.wait(LOOK):
                go_on()
        except BaseException:
            with self._lock:
                self._line.leave(called)
                if called.is_set():
                    self._line.end(visitor)
                    self._call()
            raise

    def _leave(self, visitor: Visitor) -> None:
        with self._lock:
            self._line.end(visitor)
            self._call()

    def _call(self) -> None:
        """Call whom there is a place for."""
        while (called := self._line.next(self._fits)) is not None:
            called.set()

    def _fits(self, visitor: Visitor) -> bool:
        at_work = self._line.at_work
        return at_work(visitor) < self._each and at_work(visitor.address) < self._address


places = Places()
_HOLDER: ContextVar[Visitor | None] = ContextVar("holder", default=None)


@contextlib.contextmanager
def in_place() -> Iterator[None]:
    """Run a page, or a part of it, in its visitor's place; a part within a part has it already."""
    if _HOLDER.get() is not None:
        yield
        return
    visitor = visitor_here()
    with places.held(visitor, hooks.stop_if_left):
        token = _HOLDER.set(visitor)
        try:
            yield
        finally:
            _HOLDER.reset(token)


@contextlib.contextmanager
def place_lent() -> Iterator[None]:
    """While a run does nothing but wait for another process."""
    visitor = _HOLDER.get()
    with contextlib.nullcontext() if visitor is None else places.lent(visitor):
        yield
