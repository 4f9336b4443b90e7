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
from core.views.parts import head_at
from pages.parts import controls, state, tour
from pages.parts.figure import record_of, show, show_steps
from pages.parts.page import params_of
from pages.parts.runs import can


def show_place() -> None:
    """A part with every number of it, and what if it were off; nothing where nobody has gone."""
    if tour.touring():
        return
    params = params_of(FlowParams, follow=("place",))
    record = record_of("map.flow", params)
    blueprint = record.whole.trace.blueprint
    here = places.read(params.place)
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
        if here.name in off:
            label = _("Switch {what} on again")
            now = [name for name in off if name != here.name]
        else:
            label = _("What if {what} were off?")
            now = [*off, here.name]
        controls.button(label.format(what=what), "switch-off", partial(_turn, now), type="primary")
        if len(off) > (here.name in off):
            _all_on()


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
    title = _("{where}: how each weight is made").format(where=head_at(record) or _("attention"))
    st.markdown("## " + title[:1].upper() + title[1:])
    show_steps(name, record, key="place-steps")
    show(name, asked, record=record, key="place-figure")
