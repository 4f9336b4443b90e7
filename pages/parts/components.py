"""The Python face of ``assets/components``: registered once, mounted with bytes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.figures.payload import Payload
from core.figures.theme import PALETTES
from pages.parts import state

COMPONENTS = Path(__file__).resolve().parent.parent.parent / "assets" / "components"


def script(name: str) -> str:
    """The JavaScript of a component: palettes, what all share, then its own."""
    palettes = {mode: dataclasses.asdict(palette) for mode, palette in PALETTES.items()}
    shared = (COMPONENTS / "shared.js").read_text(encoding="utf-8")
    own = (COMPONENTS / name / f"{name}.js").read_text(encoding="utf-8")
    return f"const PALETTES = {json.dumps(palettes)};\n{shared}\n{own}"


def style(name: str) -> str:
    """The CSS of a component: what all share, then its own."""
    shared = (COMPONENTS / "shared.css").read_text(encoding="utf-8")
    return shared + (COMPONENTS / name / f"{name}.css").read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def _renderer(name: str) -> Callable[..., Any]:
    return st.components.v2.component(f"glassformer.{name}", css=style(name), js=script(name))


def mount(
    name: str,
    payload: Payload,
    *,
    key: str,
    on: dict[str, Callable[[Any], None]] | None = None,
) -> None:
    """Put a component on the page.

    A settled selection goes into the learner's state by itself.

    Args:
        name: folder in ``assets/components``.
        payload: what it draws.
        key: keeps it mounted from run to run.
        on: for each further value or event the component sends, what to do with it.
    """

    def told(what: str, handle: Callable[[Any], None]) -> Callable[[], None]:
        def callback() -> None:
            value = st.session_state[key].get(what)
            # A state comes numbered (shared.js says why), an event as it is.
            if isinstance(value, dict) and value.keys() == {"value", "n"}:
                value = value["value"]
            if value is not None:
                handle(value)

        return callback

    handlers = {"selection": take_selection, **(on or {})}
    _renderer(name)(
        key=key,
        data=payload.pack(),
        **{f"on_{what}_change": told(what, handle) for what, handle in handlers.items()},
    )


def take_selection(chosen: Any) -> None:
    """Put what was selected in the browser into the learner's state."""
    state.update(state.selection(chosen))
