"""What stands in the place of something that is waited for, so that what comes moves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

_BEGIN: ContextVar[Callable[[], None] | None] = ContextVar("begin", default=None)


@contextmanager
def standing_in(draw: Callable[[], None]) -> Iterator[None]:
    """Something stands in as soon as a wait begins in here, and goes when it is over.

    Args:
        draw: what stands in.
    """
    place, stands = st.empty(), False  # always: what comes below keeps its place from run to run

    def begin() -> None:
        nonlocal stands
        if not stands:
            stands = True
            with place.container():
                draw()

    token = _BEGIN.set(begin)
    try:
        yield
    finally:
        _BEGIN.reset(token)
        if stands:
            place.empty()


def wait() -> None:
    """A wait has begun, and what is waited for is said above."""
    begin = _BEGIN.get()
    if begin is not None:
        begin()
