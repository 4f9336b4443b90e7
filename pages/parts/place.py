"""What is in the place that somebody has gone into, below the picture of the run."""

from __future__ import annotations

import streamlit as st

from core import views
from core.language import _
from core.models.blueprint import Attention
from core.views.attention.unscaled import AtHeadScaled
from core.views.map import places
from core.views.map.flow import FlowParams
from core.views.params import selectable
from core.views.parts import head_at
from pages.parts import tour
from pages.parts.figure import record_of, show, show_steps
from pages.parts.page import params_of
from pages.parts.runs import can, device, shared_runs

SELECTED = selectable([FlowParams])


def show_place() -> None:
    """A head with every number of it; nothing where nobody has gone so far."""
    if tour.touring():
        return
    params = params_of(FlowParams, follow=SELECTED)
    here = places.read(params.place)
    if here is None:
        return
    attention = here.attention(shared_runs().model(params.model, device()).blueprint)
    if attention is not None:
        _head(params, here, attention)


def _head(params: FlowParams, here: places.Place, attention: Attention) -> None:
    asked = AtHeadScaled(
        text=params.text, model=params.model, target=params.target, attention=attention.name,
        layer=min(here.layer, attention.n_layers - 1),
        head=min(here.head or 0, (attention.n_heads or 1) - 1),
    )  # fmt: skip
    name = next(one for one in ("attention.steps", "attention.weights")
                if can(params.model, views.get(one).needs))  # fmt: skip
    record = record_of(name, asked)
    title = _("{where}: how each weight is made").format(where=head_at(record))
    st.markdown("## " + title[:1].upper() + title[1:])
    show_steps(name, record, key="place-steps")
    show(name, asked, record=record, key="place-figure")
