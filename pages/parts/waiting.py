"""What stands in the place of something that is waited for, so that what comes moves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import streamlit as st

_BEGIN: ContextVar[Callable[[], None] | None] = ContextVar("begin", default=None)


@contextmanager
def standing_in(draw: Callable[[], None]) -> Iterator[None]:
    """Something stands in as soon as a wait begins in here, and goes when it is over.

    Args:
        draw: what stands in.
    """
    stands: list[Any] = []

    def begin() -> None:
        if not stands:
            stands.append(st.empty())
            with stands[0].container():
                draw()

    token = _BEGIN.set(begin)
    try:
        yield
    finally:
        _BEGIN.reset(token)
        for one in stands:
            one.empty()


def wait() -> None:
    """A wait has begun, and what is waited for is said above."""
    begin = _BEGIN.get()
    if begin is not None:
        begin()
