"""The live map: the whole run on one screen, each part a link to its page."""

import streamlit as st

from core.experiments import HOME
from core.language import _, name_of
from core.locale import spelt
from core.views.map.answers import ANSWERS
from core.views.map.run import MapParams
from pages.parts import tour
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import part
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

SELECTED = ("attention", "layer", "head", "token", "source_token")


def stage() -> None:
    """The whole run, or the ten clicks through it."""
    if tour.touring():
        tour.screen()
        return
    params = open_page(MapParams)
    name = params.model
    model = shared_runs().model(name, device())
    record = record_of("map.run", params)

    heading(
        _(ANSWERS[model.blueprint.head.ability].question),
        _("{model} · {millions} M parameters · on {device} · {n} tokens in {ms} ms · every part is "
          "a picture of its own numbers from this run")
        .format(model=name_of(name), millions=spelt(f"{model.n_parameters / 1e6:.1f}"),
                device=str(model.device).upper(),
                n=" + ".join(str(len(one.tokens)) for one in record.trace.streams.values()),
                ms=milliseconds(record.trace.seconds)),
        claim=_("A Transformer cuts a text into [[tokens]], turns each one into a vector, and lets "
                "the vectors exchange information, [[layer]] by layer. At the end it gives every "
                "entry of its [[vocabulary]] a [[probability]]."),
        terms=("residual-stream", "layernorm", "head", "logit", "counting", "space-dot", "start",
               "colours"),
        reads=params,
    )  # fmt: skip
    tour.offer()
    cut_notice(record.cut)
    part("reading", said)
    show("map.run", params, record=record, key="map", more={"places": places(name)})


def said() -> None:
    """What the run says, and the head and the row that are looked at."""
    params = params_of(MapParams, follow=SELECTED)
    more = _("Click a layer to open it, and a part to go to its page.")
    reading("map.run", record_of("map.run", params, selected=True), more)


def experiments() -> None:
    """Three clicks that show something."""
    if not tour.touring():
        try_this(HOME)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
