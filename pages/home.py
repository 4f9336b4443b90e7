"""The live map: the whole run on one screen, each part a link to its page."""

import streamlit as st

from core.language import _
from core.locale import spelt
from core.views.map.answers import ANSWERS
from core.views.map.run import MapParams
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import part
from pages.parts.machines import character, following
from pages.parts.messages import cut_notice
from pages.parts.page import (
    Experiment,
    heading,
    milliseconds,
    model_here,
    open_page,
    params_of,
    try_this,
)
from pages.parts.runs import device, shared_runs
from pages.parts.table import places

SELECTED = ("attention", "layer", "head", "token", "source_token")


def stage() -> None:
    """The whole run."""
    params = open_page(MapParams, "words")
    name = params.model
    model = shared_runs().model(name, device())
    record = record_of("map.run", params)

    heading(
        _(ANSWERS[model.blueprint.head.ability].question),
        _("{model} · {millions} M parameters · on {device} · {n} tokens in {ms} ms · every part is "
          "a picture of its own numbers from this run")
        .format(model=name.upper(), millions=spelt(f"{model.n_parameters / 1e6:.1f}"),
                device=str(model.device).upper(),
                n=" + ".join(str(len(one.tokens)) for one in record.trace.streams.values()),
                ms=milliseconds(record.trace.seconds)),
        reads=params,
    )  # fmt: skip
    cut_notice(record.cut)
    part("reading", said)
    show("map.run", params, record=record, key="map", more={"places": places(name)})


def said() -> None:
    """What the run says, and the head and the row that are looked at."""
    params = params_of(MapParams, "words", follow=SELECTED)
    more = _("Click a layer to open it, and a part to go to its page.")
    reading("map.run", record_of("map.run", params, selected=True), more)


def experiments() -> None:
    """Three clicks that show something."""
    name = model_here("words")
    try_this(
        [
            Experiment(
                _("Begin a fairy tale"),
                _("Click through the words from left to right: at “upon” the model already knows "
                  "what comes, at the last word it has a choice."),
                {"text": "Once upon a time there was a little", "model": "gpt", "token": None},
            ),
            Experiment(
                _("Say the same thing twice"),
                _("Open the blocks one after the other: the second half can be copied from the "
                  "first, and some heads look exactly there."),
                {"text": "Mira lost her silver comb. Tom found a ring. Mira lost her silver",
                 "token": None},
            ),
            Experiment(
                _("Change the machine"),
                character(following(name)),
                {"model": following(name), "token": None},
            ),
        ]
    )  # fmt: skip


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
