"""Next token: what comes next, how it is chosen, and how a text goes on."""

import streamlit as st

from core.analysis.sizes import GPT_FAMILY, gpt_parameters
from core.figures.predictions import Choosing, selection_of
from core.figures.steps import stepper
from core.figures.text import quoted
from core.language import _, ngettext
from pages.parts import controls, state
from pages.parts.components import mount
from pages.parts.page import (
    Experiment,
    choose_model,
    definitions,
    device,
    heading,
    milliseconds,
    reading,
    record_of,
    show,
    source,
    text_or_last,
    try_this,
    with_values,
)
from pages.parts.runs import shared_runs

model = choose_model("causal")
params = text_or_last(with_values(state.read(Choosing), model=model))
record = record_of("predict.next", params)
loaded = shared_runs().model(model, device())
new = record.tokens[record.n_prompt :]

heading(
    _("What comes next?"),
    ngettext("{model} · {n} tokens · {k} new token · ran in {ms} ms",
             "{model} · {n} tokens · {k} new tokens · ran in {ms} ms", len(new))
    .format(model=model.upper(), n=record.n_prompt, k=len(new), ms=milliseconds(record.seconds))
    + " · " + _("every number is from this run"),
    reads=params,
)  # fmt: skip
show("predict.surprisal", params)

chart, settings = st.columns([3, 2], gap="large")
with chart:
    show("predict.next", params, record=record)
with settings:
    titles = [_("nothing generated yet")]
    titles += [_("“{token}” was drawn").format(token=quoted(token)) for token in new]
    st.markdown("### " + _("Go on with the text"))
    mount(
        "stepper",
        stepper(
            len(titles),
            first=params.made,
            field="made",
            titles=titles,
            clears=("token",),
            selection=selection_of(params),
        ),
        key="steps",
    )
    full = record.full(loaded.config.n_ctx)
    if full:
        st.info(full, icon=":material/info:")
    controls.slider(_("Temperature"), "temperature", params, step=0.05)
    controls.slider(_("Top-k (0 = no limit)"), "top_k", params)
    controls.slider(_("Top-p"), "top_p", params, step=0.05)
    seed, count, repetition = st.columns(3)
    with seed:
        controls.number(_("Seed"), "seed", params)
    with count:
        controls.number(_("New tokens"), "new", params)
    with repetition:
        controls.decimal(_("Repetition penalty"), "repetition", params, step=0.1)
source("logits")

with st.container(key="below-stage"):
    try_this(
        [
            Experiment(
                _("Set the temperature to 0"),
                _("Only the likeliest token is left at every step: the text is plain and safe, and "
                  "another seed changes nothing."),
                {"temperature": 0.0, "new": 40, "made": 40, "token": None},
            ),
            Experiment(
                _("Let everything through"),
                _("No cut at temperature 1.5: the long tail of unlikely tokens takes over, and "
                  "the text falls apart."),
                {"temperature": 1.5, "top_k": 0, "top_p": 1.0, "new": 40, "made": 40,
                 "token": None},
            ),
            Experiment(
                _("Say a made-up name twice"),
                _("At the second “Zor” the model copies what followed the first one: its "
                  "surprise drops."),
                {"text": "Zorvik the dragon met Mr. Plim. Mr. Plim gave Zor", "token": None,
                 "made": 0},
            ),
        ]
    )  # fmt: skip
    st.markdown("## " + _("The prediction takes shape, block by block"))
    layers = show("predict.layers", record.looked_at())
    reading("predict.layers", layers)
    st.markdown("## " + _("The cache: why a new token is cheap"))
    reading("predict.cache", show("predict.cache", params))
    with st.expander(_("GPT, GPT-2, GPT-3: what changed")):
        st.markdown(
            _("GPT put its norms after each sum, as the first Transformer did. GPT-2 moved them "
              "inside the branches, added one at the end, and starts the matrices that write into "
              "the stream smaller the deeper the model is, by 1/√(2 · layers); the GPT on this "
              "page does the same. GPT-3 is GPT-2 made larger, with locally banded sparse "
              "attention in every other layer (Brown et al. 2020, section 2.1). Parameters, worked "
              "out from the published shapes:")
        )  # fmt: skip
        st.table(
            {
                _("model"): [shape.name for shape in GPT_FAMILY],
                _("layers"): [shape.n_layers for shape in GPT_FAMILY],
                _("d_model"): [shape.d_model for shape in GPT_FAMILY],
                _("context"): [shape.n_ctx for shape in GPT_FAMILY],
                _("parameters"): [f"{gpt_parameters(s) / 1e6:,.0f} M" for s in GPT_FAMILY],
                _("trained on"): [_(shape.data) for shape in GPT_FAMILY],
                _("published in"): [shape.source for shape in GPT_FAMILY],
            }
        )
    definitions(["logits", "blocks.0.resid_post", "blocks.0.attn.k", "blocks.0.attn.v"], params)
