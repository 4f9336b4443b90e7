"""The Python face of ``assets/components``: registered once, mounted with bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from core.figures.assets import stub
from core.figures.payload import Payload
from pages.parts import state


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
    """Put a component on the page.

    A settled selection goes into the learner's state by itself.

    Args:
        name: folder in ``assets/components``.
        payload: what it draws.
        key: keeps it mounted from run to run.
        scope: whose selection it follows; the page's own when empty.
        on: for each further value or event the component sends, what to do with it.
    """
    if scope:
        payload = Payload({**payload.header, "scope": scope}, payload.arrays)
    handlers = {"selection": take_selection, **(on or {})}
    _renderer(name)(
        key=key,
        data=payload.pack(),
        **{
            f"on_{what}_change": partial(_hear, key, what, handle)
            for what, handle in handlers.items()
        },
    )


def _hear(key: str, what: str, handle: Callable[[Any], None]) -> None:
    """Hand on what a component sent."""
    value = st.session_state[key].get(what)
    # A state comes numbered (shared/component.js says why), an event as it is.
    if isinstance(value, dict) and value.keys() == {"value", "n"}:
        value = value["value"]
    if value is not None:
        handle(value)


def take_selection(chosen: Any) -> None:
    """Put what was selected in the browser into the learner's state."""
    state.update(state.selection(chosen))
