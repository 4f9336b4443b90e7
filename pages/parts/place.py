"""What is in the place that somebody has gone into, below the picture of the run, and what if."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import views
from core.language import _
from core.models import places
from core.models.blueprint import Attention
from core.views.attention.unscaled import AtHeadScaled
from core.views.map.flow import called
from core.views.map.flowing import FlowParams, FlowRun
from core.views.params import selectable
from core.views.parts import head_at
from pages.parts import controls, state, tour
from pages.parts.figure import record_of, show, show_steps
from pages.parts.page import params_of
from pages.parts.runs import can

SELECTED = selectable([FlowParams])


def show_place() -> None:
    """A part with every number of it, and what if it were off; nothing where nobody has gone."""
    if tour.touring():
        return
    params = params_of(FlowParams, follow=("place",))
    here = places.read(params.place)
    if here is not None and here.head is not None:  # what it attends to most is its token's
        params = params_of(FlowParams, follow=SELECTED)
    record = record_of("map.flow", params, selected=True)
    blueprint = record.whole.trace.blueprint
    if here is not None and here.output(blueprint) is not None:
        _switch(here, record)
        attention = here.attention(blueprint)
        if attention is not None:
            _head(params, here, attention)
    elif record.off:
        _all_on()


def _switch(here: places.Place, record: FlowRun) -> None:
    """Off, or on again."""
    off = [one.name for one in record.off]
    what = called(here, record.whole.trace)
    with st.container(key="what-if", horizontal=True, vertical_alignment="center"):
        _turned(here.name, off, _("What if {what} were off?").format(what=what),
                _("Switch {what} on again").format(what=what))  # fmt: skip
        if here.head is not None and here.name not in off:
            key = record.strongest(here)
            token = record.keys_of(here)[key].spoken
            _turned(f"{here.name}.key{key}", off,
                    _("What if it could not attend to “{token}”?").format(token=token),
                    _("Let it attend to “{token}” again").format(token=token))  # fmt: skip
        if off:
            _all_on()


def _turned(name: str, off: list[str], out: str, back: str) -> None:
    """A button that takes something away, or gives it back."""
    is_off = name in off
    now = [one for one in off if one != name] if is_off else [*off, name]
    controls.button(back if is_off else out, f"turn-{name.rpartition('.')[2]}",
                    partial(_turn, now), type="secondary" if is_off else "primary")  # fmt: skip


def _all_on() -> None:
    controls.button(_("Switch all on again"), "all-on", partial(_turn, []))


def _turn(off: list[str]) -> None:
    state.update({"off": "+".join(off) or None})


def _head(params: FlowParams, here: places.Place, attention: Attention) -> None:
    asked = AtHeadScaled(
        text=params.text, model=params.model, target=params.target, attention=attention.name,
        layer=here.layer, head=here.head or 0,
    )  # fmt: skip
    name = next(one for one in ("attention.steps", "attention.weights")
                if can(params.model, views.get(one).needs))  # fmt: skip
    record = record_of(name, asked)
    title = _("{where}: how this head works").format(where=head_at(record) or _("attention"))
    st.markdown("## " + title[:1].upper() + title[1:])
    show_steps(name, record, key="place-steps")
    show(name, asked, record=record, key="place-figure")
