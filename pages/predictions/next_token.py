"""Next token: what comes next, how it is chosen, and how a text goes on."""

import streamlit as st

from core import views
from core.analysis.published import GPT_FAMILY, PUBLISHED
from core.experiments import NEXT_TOKEN
from core.language import _, name_of, ngettext
from core.locale import grouped
from core.views.predict.choosing import Choosing
from pages.parts import controls
from pages.parts.figure import reading, record_of, save_menu, show, show_notes, show_steps
from pages.parts.fragments import later, part
from pages.parts.page import (
    definitions,
    heading,
    milliseconds,
    open_page,
    params_of,
    source,
    try_this,
)
from pages.parts.runs import can, device, shared_runs


def stage() -> None:
    """What comes next, and how a text goes on."""
    params = open_page(Choosing)
    record = record_of("predict.next", params)
    blueprint = shared_runs().model(params.model, device()).blueprint

    heading(
        _("What comes next?"),
        ngettext("{model} · {n} tokens · {k} new token · ran in {ms} ms",
                 "{model} · {n} tokens · {k} new tokens · ran in {ms} ms", len(record.new))
        .format(model=name_of(params.model), n=record.n_prompt, k=len(record.new),
                ms=milliseconds(record.seconds))
        + " · " + _("every number is from this run"),
        claim=_("The model gives every entry of its [[vocabulary]] a [[probability]] of coming "
                "next. It writes a text by drawing one token, adding it, and asking again; "
                "[[temperature]], [[top-k]] and [[top-p]] decide how unlikely a token may be."),
        terms=("logit", "surprisal", "kv-cache", "seed"),
        reads=params,
    )  # fmt: skip
    show("predict.surprisal", params, save=False)
    show_steps("predict.next", record, key="steps")  # between what it moves

    chart, settings = st.columns([3, 2], gap="large")
    with chart:
        show("predict.next", params, record=record)
    with settings:
        st.markdown("## " + _("Continue the text"))
        show_notes("predict.next", record, "info")
        controls.slider("temperature", params, step=0.05)
        controls.slider("top_k", params)
        controls.slider("top_p", params, step=0.05)
        seed, count, repetition = st.columns(3)
        with seed:
            controls.number("seed", params)
        with count:
            controls.number("new", params)
        with repetition:
            controls.decimal("repetition", params, step=0.1)
        save_menu("predict.surprisal", params)
    source(blueprint.head.site, params.model)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(NEXT_TOKEN)


def layers() -> None:
    """The prediction at the selected place, block by block."""
    params = params_of(Choosing, follow=("token", "made"))
    if not can(params.model, views.get("predict.layers").needs):
        return
    record = record_of("predict.next", params, selected=True)
    st.markdown("## " + _("How the prediction takes shape, layer by layer"))
    reading("predict.layers", show("predict.layers", record.looked_at()))


def cache() -> None:
    """What the cache saves, the family, and what the names mean."""
    params = params_of(Choosing)
    blueprint = shared_runs().model(params.model, device()).blueprint
    if blueprint.stacks:
        st.markdown("## " + _("The key-value cache: why a new token is cheap"))
    else:
        st.markdown("## " + _("What is kept: why a new token is cheap"))
    reading("predict.cache", show("predict.cache", params))
    with st.expander(_("GPT, GPT-2, GPT-3: what changed")):
        st.markdown(
            _("GPT has a LayerNorm after each sum, as the first Transformer did. GPT-2 moved "
              "the norms into the branches and added one at the end. It also starts the "
              "matrices that write into the residual stream smaller the deeper the model is, "
              "by 1/√(2 · layers); the GPT on our shelf does the same. GPT-3 is GPT-2 made "
              "larger, with locally banded sparse attention in every other layer (Brown et "
              "al. 2020, section 2.1). Number of parameters, computed from the published shapes:")
        )  # fmt: skip
        family = [PUBLISHED[name] for name in GPT_FAMILY]
        shapes = [one.machine for one in family]
        st.table(
            {
                _("model"): [one.name for one in family],
                _("layers"): [shape.layers[0].n for shape in shapes],
                _("d_model"): [shape.d_model for shape in shapes],
                _("context"): [shape.n_ctx for shape in shapes],
                _("parameters"): [grouped(round(s.parameters / 1e6)) + " M" for s in shapes],
                _("trained on"): [_(one.data) for one in family],
                _("published in"): [one.source for one in family],
            }
        )
    sites = [blueprint.head.site]
    if blueprint.stacks:
        first = blueprint.main.block(0)
        sites += [f"{first}.resid_post", f"{first}.attn.k", f"{first}.attn.v"]
    definitions(sites, params)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("layers", layers)
    later("cache", cache)
