"""The live map: the whole run on one screen, each part a link to its page."""

import html

import streamlit as st

from core.figures.map import MapParams, ModelMap
from core.figures.payload import Payload
from core.language import _
from pages.parts import state
from pages.parts.components import mount
from pages.parts.page import (
    Experiment,
    choose_model,
    cut_notice,
    device,
    exports,
    heading,
    milliseconds,
    record_of,
    stand_back,
    text_or_last,
    try_this,
    with_values,
)
from pages.parts.runs import shared_runs
from pages.parts.table import places

name = choose_model("any")
model = shared_runs().model(name, device())
params = text_or_last(with_values(state.read(MapParams), model=name))
record = record_of("map.run", params)
map_view = ModelMap()

heading(
    _("What happens between a sentence and its next word?")
    if model.model.topology.causal
    else _("What happens between a sentence and a hidden word?"),
    _("{model} · {millions} M parameters · on {device} · {n} tokens in {ms} ms · every part is a "
      "picture of its own numbers from this run")
    .format(model=name.upper(), millions=f"{model.n_parameters / 1e6:.1f}",
            device=str(model.device).upper(), n=len(record.trace.tokens),
            ms=milliseconds(record.trace.seconds)),
    reads=params,
)  # fmt: skip
cut_notice(record.cut)
reading = "".join(
    f"<span class='role-{mark.role}'>{html.escape(mark.text)}</span>"
    for mark in map_view.describe(record).parts
)
st.html(
    f"<p class='glass-reading'>{reading} "
    f"{html.escape(_('Click a block to open it, and a part to go to its page.'))}</p>"
)
payload = map_view.payload(record)
stand_back("map")
mount(
    "map",
    Payload({**payload.header, "places": places(name)}, payload.arrays),
    key="map",
)
exports(map_view, record, "map")

with st.container(key="below-stage"):
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
                _("BERT reads in both directions: its maps are full squares, and the norms stand "
                  "after the sums.") if name == "gpt"
                else _("GPT reads from left to right: its maps are triangles, and the norms stand "
                       "before what they feed."),
                {"model": "bert" if name == "gpt" else "gpt", "token": None},
            ),
        ]
    )  # fmt: skip
