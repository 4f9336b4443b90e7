"""Streamlit's own controls, tied to the learner's state by name.

What a number may be and what its control is called is declared once, with the parameter: whatever
a link can bring, its control can show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from core.glossary import of_parameter
from core.language import _
from core.views.params import declared
from pages.parts import state
from pages.parts.crossed import crossed, put
from pages.parts.reruns import acting


def _tied(name: str, value: Any, scope: str) -> dict[str, Any]:
    """Key, value and callback that keep a widget and the state the same, and what it means."""
    key = f"control-{state.in_scope(name, scope)}"
    said = of_parameter(name)
    followed = _followed(key, value, lambda now: state.update({name: now}, scope=scope))
    return followed | ({"help": said} if said else {})


def _followed(key: str, value: Any, changed: Callable[[Any], None]) -> dict[str, Any]:
    """Key and callback of a widget that shows a value; ``changed`` gets what a learner puts in."""
    st.session_state[key] = value
    put(key, value)

    def hear() -> None:
        if not crossed(key):
            put(key, st.session_state[key], by_learner=True)
            changed(st.session_state[key])

    return {"key": key, "on_change": acting(hear)}


def _label(params: Any, name: str) -> str:
    return _(declared(params, name).label)


def slider(
    name: str,
    params: Any,
    low: Any = None,
    high: Any = None,
    step: Any = 1,
    *,
    scope: str = "",
    **more: Any,
) -> None:
    """A slider for a parameter.

    Args:
        name: of the parameter.
        params: what holds its value.
        low, high: where other parameters leave less of its range than was declared.
        step: from one value to the next.
        scope: of the figures it changes.
        more: for Streamlit.
    """
    said = declared(params, name)
    low = said.low if low is None else low
    high = said.high if high is None else high
    value = min(max(getattr(params, name), low), high)
    st.slider(_label(params, name), low, high, step=step, **_tied(name, value, scope), **more)


def number(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """A field for a whole number."""
    _field(name, params, scope, step=1, **more)


def decimal(name: str, params: Any, step: float, *, scope: str = "", **more: Any) -> None:
    """A field for a number with decimals."""
    _field(name, params, scope, step=step, format="%.2f", **more)


def _field(name: str, params: Any, scope: str, **more: Any) -> None:
    said = declared(params, name)
    tied = _tied(name, getattr(params, name), scope)
    st.number_input(_label(params, name), said.low, said.high, **tied, **more)


def choice(
    name: str,
    params: Any,
    options: Sequence[Any] | None = None,
    show: Callable[[Any], str] | None = None,
    *,
    scope: str = "",
    **more: Any,
) -> None:
    """One of a few options, side by side.

    Args:
        name: of the parameter.
        params: what holds its value.
        options: where they are not all that were declared.
        show: what an option is called, where that was not declared.
        scope: of the figures it changes.
        more: for Streamlit.
    """
    words = declared(params, name).choices or {}
    offered = list(words) if options is None else list(options)
    value = getattr(params, name)
    tied = _tied(name, value if value in offered else offered[0], scope)

    def called(option: Any) -> str:
        return show(option) if show else _(words[option]) if option in words else str(option)

    st.segmented_control(
        _label(params, name), offered, format_func=called, required=True, **tied, **more
    )


def line(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """A field for a text of one line."""
    st.text_input(_label(params, name), **_tied(name, getattr(params, name), scope), **more)


def text_area(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """A field for a text of several lines."""
    st.text_area(_label(params, name), **_tied(name, getattr(params, name), scope), **more)


def switch(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """On or off."""
    st.toggle(_label(params, name), **_tied(name, bool(getattr(params, name)), scope), **more)


def choice_with_callback(
    label: str,
    key: str,
    value: Any,
    options: Sequence[Any],
    show: Callable[[Any], str],
    changed: Callable[[Any], None],
) -> None:
    """One of a few options, for what is no parameter by itself; ``changed`` gets the choice."""
    followed = _followed(key, value, changed)
    st.segmented_control(label, options, format_func=show, required=True, **followed)


def number_with_callback(
    label: str, key: str, value: int, low: int, high: int, changed: Callable[[int], None]
) -> None:
    """A whole number that is part of a parameter; ``changed`` gets it."""
    st.number_input(label, low, high, step=1, **_followed(key, min(max(value, low), high), changed))
