"""Streamlit's own controls, tied to the learner's state by name.

What a number may be is declared once, with the parameter: whatever a link can bring, its control
can show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from core.figures.params import range_of
from pages.parts import state


def _tied(name: str, value: Any) -> dict[str, Any]:
    """Key, value and callback that keep a widget and the state the same."""
    key = f"control-{name}"
    st.session_state[key] = value

    def changed() -> None:
        state.update({name: st.session_state[key]})

    return {"key": key, "on_change": changed}


def slider(
    label: str,
    name: str,
    params: Any,
    low: Any = None,
    high: Any = None,
    step: Any = 1,
    **more: Any,
) -> None:
    """A slider for the parameter ``name``.

    Args:
        label: above it.
        name: of the parameter.
        params: what holds its value.
        low, high: where other parameters leave less of its range than was declared.
        step: from one value to the next.
        more: for Streamlit.
    """
    declared = range_of(params, name)
    low = declared.low if low is None else low
    high = declared.high if high is None else high
    value = min(max(getattr(params, name), low), high)
    st.slider(label, low, high, step=step, **_tied(name, value), **more)


def number(label: str, name: str, params: Any, **more: Any) -> None:
    """A field for a whole number."""
    _field(label, name, params, step=1, **more)


def decimal(label: str, name: str, params: Any, step: float, **more: Any) -> None:
    """A field for a number with decimals."""
    _field(label, name, params, step=step, format="%.2f", **more)


def _field(label: str, name: str, params: Any, **more: Any) -> None:
    declared = range_of(params, name)
    tied = _tied(name, getattr(params, name))
    st.number_input(label, declared.low, declared.high, **tied, **more)


def choice(
    label: str,
    name: str,
    params: Any,
    options: Sequence[Any],
    show: Callable[[Any], str] = str,
    **more: Any,
) -> None:
    """One of a few options, side by side."""
    value = getattr(params, name)
    chosen = value if value in options else options[0]
    tied = _tied(name, chosen)
    st.segmented_control(label, options, format_func=show, required=True, **tied, **more)


def line(label: str, name: str, params: Any, **more: Any) -> None:
    """A field for a text of one line."""
    st.text_input(label, **_tied(name, getattr(params, name)), **more)


def text_area(label: str, name: str, params: Any, **more: Any) -> None:
    """A field for a text of several lines."""
    st.text_area(label, **_tied(name, getattr(params, name)), **more)


def switch(label: str, name: str, params: Any, **more: Any) -> None:
    """On or off."""
    st.toggle(label, **_tied(name, bool(getattr(params, name))), **more)


def told(
    label: str,
    key: str,
    value: Any,
    options: Sequence[Any],
    show: Callable[[Any], str],
    changed: Callable[[Any], None],
) -> None:
    """One of a few options, for what is no parameter by itself; ``changed`` hears the choice."""
    st.session_state[key] = value
    st.segmented_control(
        label, options, format_func=show, required=True, key=key,
        on_change=lambda: changed(st.session_state[key]),
    )  # fmt: skip


def told_number(
    label: str, key: str, value: int, low: int, high: int, changed: Callable[[int], None]
) -> None:
    """A whole number that is part of a parameter; ``changed`` hears it."""
    st.session_state[key] = min(max(value, low), high)
    st.number_input(
        label, low, high, step=1, key=key, on_change=lambda: changed(st.session_state[key])
    )
