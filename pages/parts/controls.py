"""Streamlit's own controls, tied to the learner's state by name.

What a number may be and what its control is called is declared once, with the parameter: whatever
a link can bring, its control can show. What is in a control is the browser's, which says it with
every message; where the page puts another value there (undo, an experiment, Back), it puts another
control in its place. So what the browser still says of the one before is no choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import streamlit as st

from core.figures.text import decimal as written
from core.figures.text import harmless
from core.glossary import of_parameter
from core.language import _
from core.locale import spelt
from core.models.blueprint import Blueprint
from core.views import parts
from core.views.params import declared
from pages.parts import state
from pages.parts.hearing import listen
from pages.parts.reruns import acting
from pages.parts.session import own_session

NUMERAL = re.compile(r"\d+\.\d+")  # what a choice is called that says a number
STOPS = 1000  # values of a slider, of which one with more leaves out some
FINE = 100  # of them at its end, which it keeps


def _tied(name: str, value: Any, scope: str, *shape: Any) -> dict[str, Any]:
    """Key, value and callback that keep a widget and the state the same, and what it means."""
    key = f"control-{state.in_scope(name, scope)}"
    said = of_parameter(name)

    def change(now: Any) -> None:
        changes = {name: now}
        state.update(changes if scope else state.as_of_this_page(changes), scope=scope)

    followed = _followed(key, value, change, *shape)
    return followed | ({"help": said} if said else {})


def _followed(key: str, value: Any, changed: Callable[[Any], None], *shape: Any) -> dict[str, Any]:
    """Key and callback of a widget that shows a value.

    Args:
        key: of the control.
        value: in it.
        changed: gets what a learner puts in.
        shape: what else makes it this control: its range, or what can be chosen.
    """
    shown = own_session().shown
    had, n = shown.get(key, ((state.as_text(value), shape), 0))
    if had != (state.as_text(value), shape):
        n += 1
    shown[key] = (state.as_text(value), shape), n
    own = f"{key}~{n}" if n else key

    def hear() -> None:
        now = st.session_state[own]
        if shown[key][1] == n:  # else another control has taken its place
            shown[key] = (state.as_text(now), shape), n
            changed(now)

    return {"key": own, "on_change": acting(hear)}


def button(
    label: str, key: str, act: Callable[[], None], *, about: int | None = None, **more: Any
) -> None:
    """A button; a click on it goes the way of all messages (assets/components/shared/pressing.js).

    Args:
        label: on it.
        key: of the button.
        act: what it does.
        about: the screen that it leads away from, which the title names (``data-about``).
        more: for Streamlit.
    """
    listen(re.sub(r"[^a-zA-Z0-9_-]", "-", key), {"press": lambda _click: act()}, about)
    st.button(label, key=key, on_click=acting(act), **more)


def lower_on_a_phone(name: str, place: Literal[1, 2, 3] = 1) -> Any:
    """A container that a phone shows below what stands beside or under it, by streamlit.css.

    So the figure begins on the first screen, and its controls end it.

    Args:
        name: of the container on the page.
        place: among those that are lower.
    """
    return st.container(key=f"phone-{place}-{name}")


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
    if isinstance(step, float) and spelt(".") != ".":
        _spelt_slider(name, params, (low, high, step, value), scope, more)
        return
    tied = _tied(name, value, scope, low, high, step)
    st.slider(_label(params, name), low, high, value, step=step, **tied, **more)


def _spelt_slider(
    name: str, params: Any, numbers: tuple[float, float, float, float], scope: str, more: Any
) -> None:
    """A slider whose numbers are written as the learner does: Streamlit writes a point in all.

    A fine one stops at every tenth value but near its end: each stop is sent as a word.
    """
    low, high, step, value = numbers
    digits, n = len(str(step).partition(".")[2]), round((high - low) / step)
    each = 1 if n <= STOPS else 10
    stops = {round(low + k * step, 9) for k in range(n + 1) if k % each == 0 or n - k < FINE}
    said = {one: written(one, digits) for one in sorted(stops | {value})}
    if value not in stops:  # a link may say any number
        said[value] = spelt(f"{value:.9g}").replace("-", "−")
    tied = _tied(name, value, scope, low, high, step, *said.values())
    st.select_slider(_label(params, name), list(said), value, format_func=said.get, **tied, **more)


def number(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """A field for a whole number."""
    _field(name, params, scope, step=1, **more)


def decimal(name: str, params: Any, step: float, *, scope: str = "", **more: Any) -> None:
    """A field for a number with decimals."""
    _field(name, params, scope, step=step, format="%.2f", **more)


def _field(name: str, params: Any, scope: str, **more: Any) -> None:
    said = declared(params, name)
    value = getattr(params, name)
    tied = _tied(name, value, scope)
    st.number_input(_label(params, name), said.low, said.high, value, **tied, **more)


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

    def called(option: Any) -> str:
        if show:
            return harmless(show(option))  # it may be a piece of the learner's text
        said = _(words[option]) if option in words else str(option)
        return spelt(said) if NUMERAL.fullmatch(said) else said

    now = value if value in offered else offered[0]
    tied = _tied(name, now, scope, *map(called, offered))
    tied |= {"format_func": called, **more}
    st.segmented_control(_label(params, name), offered, default=now, required=True, **tied)


def menu(
    name: str, params: Any, options: Sequence[Any], show: Callable[[Any], str], **more: Any
) -> None:
    """One of a few options with long names, of which the chosen one is seen.

    Args:
        name: of the parameter.
        params: what holds its value.
        options: to choose from.
        show: what an option is called.
        more: for Streamlit.
    """
    value = getattr(params, name)
    now = value if value in options else options[0]
    tied = _tied(name, now, "", *map(show, options)) | {"format_func": show, **more}
    st.selectbox(_label(params, name), options, options.index(now), **tied)


def part(name: str, params: Any, blueprint: Blueprint, *, scope: str = "", **more: Any) -> None:
    """One of a model's own parts, as its blueprint names them."""
    called = parts.names(params, blueprint, name)
    choice(name, params, list(called), lambda one: called[one], scope=scope, **more)


def line(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """A field for a text of one line."""
    value = getattr(params, name)
    st.text_input(_label(params, name), value, **_tied(name, value, scope), **more)


def switch(name: str, params: Any, *, scope: str = "", **more: Any) -> None:
    """On or off."""
    value = bool(getattr(params, name))
    st.toggle(_label(params, name), value, **_tied(name, value, scope), **more)
