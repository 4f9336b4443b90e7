"""The live map: the whole run on one screen, each part a link to its page."""

import streamlit as st

from core.experiments import HOME
from core.language import _, name_of
from core.locale import in_short
from core.views.map.answers import answer_of
from core.views.map.run import MapParams
from core.views.params import selectable
from pages.parts import tour
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import part
from pages.parts.machines import working
from pages.parts.messages import cut_notice
from pages.parts.page import (
    heading,
    milliseconds,
    open_page,
    params_of,
    try_this,
)
from pages.parts.runs import device, shared_runs
from pages.parts.table import places

SELECTED = selectable([MapParams])


def stage() -> None:
    """The whole run, or the ten clicks through it."""
    if tour.touring():
        tour.screen()
        return
    params = open_page(MapParams)
    name = params.model
    model = shared_runs().model(name, device())
    record = record_of("map.run", params)
    told = working(model.blueprint)

    heading(
        _(answer_of(model.blueprint).question),
        _("{model} · {parameters} parameters · on {device} · {n} tokens in {ms} ms · every part is "
          "a picture of its own numbers from this run")
        .format(model=name_of(name), parameters=in_short(model.n_parameters),
                device=str(model.device).upper(),
                n=" + ".join(str(len(one.units)) for one in record.trace.streams.values()),
                ms=milliseconds(record.trace.seconds)),
        claim=_(told.claim),
        terms=(*told.terms, "logit", "counting", "space-dot", "start", "colours"),
        reads=params,
    )  # fmt: skip
    tour.offer()
    cut_notice(record.cut)
    part("reading", said)
    show("map.run", params, record=record, key="map", more={"places": places(name)})


def said() -> None:
    """What the run says, and the head and the row that are looked at."""
    params = params_of(MapParams, follow=SELECTED)
    record = record_of("map.run", params, selected=True)
    more = _("Click a part to go to its page.")
    if any(tower.n_layers > 1 for tower in record.blueprint.towers):
        more = _("Click a layer to open it, and a part to go to its page.")
    reading("map.run", record, more)


def experiments() -> None:
    """Three clicks that show something."""
    if not tour.touring():
        try_this(HOME)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
