"""The Python face of ``assets/components``: registered once, mounted with bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from core.figures.assets import stub
from core.figures.payload import Payload
from pages.parts.reruns import acting


@lru_cache(maxsize=32)
def _renderer(name: str) -> Callable[..., Any]:
    return st.components.v2.component(f"glassformer.{name}", js=stub(name))


def mount(
    name: str,
    payload: Payload,
    *,
    key: str,
    scope: str = "",
    on: dict[str, Callable[[Any], None]] | None = None,
) -> None:
    """Put a component on the page. What is selected in it the link hears of (``frame.link``).

    Args:
        name: folder in ``assets/components``.
        payload: what it draws.
        key: keeps it mounted from run to run.
        scope: whose selection it follows; the page's own when empty.
        on: for each value or event the component sends, what to do with it.
    """
    if scope:
        payload = Payload({**payload.header, "scope": scope}, payload.arrays)
    _renderer(name)(
        key=key,
        data=payload.pack(),
        **{
            f"on_{what}_change": acting(partial(_hear, key, what, handle))
            for what, handle in (on or {}).items()
        },
    )


def _hear(key: str, what: str, handle: Callable[[Any], None]) -> None:
    """Hand on what a component sent."""
    value = st.session_state.get(key, {}).get(what)  # it may be gone, with its page
    # A state comes numbered (shared/streamlit.js says why), an event as it is.
    if isinstance(value, dict) and value.keys() == {"value", "n"}:
        value = value["value"]
    if value is not None:
        handle(value)
