"""The Python face of ``assets/components``: registered once, mounted with bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from core.figures.assets import stub
from core.figures.payload import Payload


@lru_cache(maxsize=32)
def _renderer(name: str) -> Callable[..., Any]:
    return st.components.v2.component(f"glassformer.{name}", js=stub(name))


def mount(name: str, payload: Payload, *, key: str, scope: str = "") -> None:
    """Put a component on the page.

    Args:
        name: folder in ``assets/components``.
        payload: what it draws.
        key: keeps it mounted from run to run.
        scope: whose selection it follows; the page's own when empty.
    """
    if scope:
        payload = Payload({**payload.header, "scope": scope}, payload.arrays)
    _renderer(name)(key=key, data=payload.pack())
