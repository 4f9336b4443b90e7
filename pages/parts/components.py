"""The Python face of ``assets/components``: registered once, mounted with bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from core.figures.assets import stub
from core.figures.payload import Payload
from pages.parts.hearing import Acts, hear, listen
from pages.parts.reruns import LINK
from pages.parts.session import own_session


@lru_cache(maxsize=32)
def _renderer(name: str) -> Callable[..., Any]:
    return st.components.v2.component(f"glassformer.{name}", js=stub(name))


def mount(
    name: str,
    payload: Payload,
    *,
    key: str,
    scope: str = "",
    on: Acts | None = None,
    about: str | int | None = None,
) -> None:
    """Put a component on the page. What is said in any of them comes through the link.

    Args:
        name: folder in ``assets/components``.
        payload: what it draws.
        key: keeps it mounted from run to run.
        scope: whose selection it follows; the page's own when empty.
        on: for each thing that the component says, what to do with its value.
        about: what it is drawn for (``hearing.listen``).
    """
    more: dict[str, Any] = {"scope": scope} if scope else {}
    if on:
        listen(key, on, about)
        more |= {"key": key, "taken": own_session().taken}
        more |= {} if about is None else {"about": about}
    if more:
        payload = Payload({**payload.header, **more}, payload.arrays)
    ears = {"on_said_change": lambda: hear(_said())} if key == LINK else {}
    _renderer(name)(key=key, data=payload.pack(), **ears)


def _said() -> Any:
    """What the browser has said and not yet heard of."""
    return st.session_state.get(LINK, {}).get("said")
