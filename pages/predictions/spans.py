"""Spans and noise: a text is damaged as in the training of T5 and BART, and a model mends it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core import zoo
from core.experiments import NOISE, SPANS
from core.language import _, name_of
from core.models.abilities import ABILITIES, Ability
from core.models.needs import Needs
from core.views.attention.head import AtHead
from core.views.noise.answer import Prefixed
from core.views.noise.damage import MOVES, Damaging
from core.views.noise.spans import Spanning, Spans
from core.views.params import MAX_SEED, OnStack
from pages.parts import controls, state
from pages.parts.attention import which_attention, which_head
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.messages import say
from pages.parts.page import (
    definitions,
    heading,
    model_here,
    open_page,
    params_of,
    ran_in,
    source,
    try_this,
)
from pages.parts.runs import device, one_for, shared_runs

DAMAGED = ("noise.damaged", "noise.wanted", "noise.rewritten")


def one_that_can(needs: Needs) -> str:
    """The page's model, or another one of the shelf, if it has what a part needs; else empty."""
    return one_for(model_here(), needs)


def nobody(ability: Ability) -> None:
    """Say that a part of the page waits for a model."""
    words = _("No model on the shelf can {ability}, so this part of the page is empty.")
    say("info", words.format(ability=_(ABILITIES[ability].says)), icon=":material/inbox:")


def draw_again(name: str, seed: int) -> None:
    """The next draw."""
    state.update({name: (seed + 1) % (MAX_SEED + 1)})


# --- spans -------------------------------------------------------------------------------


def stage() -> None:
    """The text with spans cut out, what the model has to write, and what it writes."""
    params, model = open_page(Spanning), one_that_can(Needs("fill_spans"))
    own = replace(params, model=model)
    record = record_of("noise.text", own) if model else None
    heading(
        _("How does a model learn to fill gaps?"),
        "" if record is None else (name_of(model), ran_in(record.run.seconds)),
        claim=_("T5 and BART learn from texts that are damaged on purpose. In [[span "
                "corruption]], [[sentinels]] take the place of short spans. The [[encoder]] reads "
                "the rest, and the [[decoder]] writes what stood behind each sentinel."),
        terms=("t5", "bart", "denoising", "infilling", "text-to-text", "task-prefix",
               "relative-bias", "teacher-forcing", "greedy", "logit", "softmax",
               "cross-attention"),
        reads=params,
    )  # fmt: skip
    if record is None:
        nobody("fill_spans")
    else:
        spans(own, record)


def spans(params: Spanning, record: Spans) -> None:
    """The strips in the colours of the spans, and the numbers beside them."""
    show_notes("noise.text", record, "info")
    strips, beside = st.columns([3, 2], gap="large")
    with strips:
        show("noise.text", params, record=record, save=False)
        show("noise.source", params, record=record, save=False)
        show("noise.target", params, record=record)
        show("noise.filled", params, record=record)
        source(zoo.blueprint(params.model).head.site, params.model)
    with beside:
        reading("noise.text", record)
        show("noise.fillings", params, record=record)
        reading("noise.target", record)
        reading("noise.filled", record)
        controls.slider("span_rate", params, step=0.05)
        controls.slider("span_mean", params, step=0.5)
        drawing("span_seed", params)


def drawing(name: str, params: Spanning | Damaging) -> None:
    """The seed of that name, and the next one."""
    seed, again = st.columns([1, 2], vertical_alignment="bottom")
    with seed:
        controls.number(name, params)
    with again:
        act = partial(draw_again, name, getattr(params, name))
        controls.button(_("Draw again"), f"draw-{name}", act)


# --- noise -------------------------------------------------------------------------------


def noises() -> None:
    """The same text damaged in BART's five ways."""
    st.markdown("## " + _("Five other ways to damage a text"))
    model = one_that_can(Needs("denoise"))
    if not model:
        nobody("denoise")
        return
    params = replace(params_of(Damaging), model=model)
    st.markdown(
        _("BART's decoder writes the whole text, not only what is missing. Most of it can be "
          "copied from what the encoder reads. Only the hidden tokens have to be guessed, so only "
          "they say how well the model has learned.")
    )  # fmt: skip
    controls.choice("noise", params)
    record = record_of("noise.damaged", params)
    strips, beside = st.columns([3, 2], gap="large")
    with strips:
        for name in DAMAGED:
            show(name, params, record=record)
    with beside:
        for name in DAMAGED:
            reading(name, record)
        if params.noise not in MOVES:
            controls.slider("noise_rate", params, step=0.05)
        drawing("noise_seed", params)


# --- tasks -------------------------------------------------------------------------------


def tasks() -> None:
    """The same sentence behind each prefix that the model knows, and behind one's own."""
    st.markdown("## " + _("Another prefix, another task"))
    model = one_that_can(Needs("fill_spans"))
    if not model:
        nobody("fill_spans")
        return
    params = replace(state.read(Prefixed), model=model)
    prefixes = shared_runs().model(model, device()).prefixes
    st.markdown(
        _("Nothing changes but the beginning of the input. The weights are the same, and so is "
          "the way of writing: the answer is a text for every task, even where it is a label.")
    )  # fmt: skip
    controls.line("task_text", params)
    columns = st.columns(len(prefixes) + 1, gap="medium")
    for n, (column, prefix) in enumerate(zip(columns, ["", *prefixes.values()], strict=True)):
        with column:
            asked = replace(params, prefix=prefix)
            st.markdown(f"`{prefix.strip()}`" if prefix else "**" + _("no prefix") + "**")
            reading("noise.answer", show("noise.answer", asked, key=f"answer-{n}"))
    controls.line("prefix", params, placeholder=next(iter(prefixes.values()), ""))
    if params.prefix.strip():
        reading("noise.answer", show("noise.answer", params, key="answer-own"))


# --- bias --------------------------------------------------------------------------------


def biases() -> None:
    """What each head adds to its scores by distance, and what that does to its weights."""
    model = one_that_can(Needs(parts=("relative_bias",)))
    if not model:
        return
    st.markdown("## " + _("A bias for each distance, and no positions"))
    st.markdown(
        _("{model} adds no position vectors. Each head adds a learned number to every score. It "
          "depends on the distance of query and key alone, and all layers share it. Near distances "
          "have a number each. Far ones share one, in ranges that get wider: a step in the curve "
          "is one number.").format(model=name_of(model))
    )  # fmt: skip
    params = with_bias(replace(params_of(AtHead), model=model))
    run = record_of("positions.added", params)
    which_attention(run.run)
    stacks = zoo.blueprint(model).stacks
    own = next((one for one in stacks if one.bias == run.run.attention.bias), None)
    if own is not None:
        by_distance = OnStack(params.text, model, stack=own.name)
        reading("positions.bias", show("positions.bias", by_distance))
        source(str(own.bias), model)
    which_head(run.run)
    columns = st.columns(3, gap="medium")
    with columns[0]:
        reading("positions.unbiased", show("positions.unbiased", params, record=run))
    with columns[1]:
        reading("positions.added", show("positions.added", params, record=run))
    with columns[2]:
        show("attention.weights", params)


def with_bias(params: AtHead) -> AtHead:
    """The attention that was chosen, or the first that a bias is added to."""
    if params.attention:
        return params
    attentions = zoo.blueprint(params.model).attentions
    return replace(params, attention=next(one.name for one in attentions if one.bias is not None))


def experiments() -> None:
    """Clicks that move a number, for each kind of model that is there."""
    fills, mends = one_that_can(Needs("fill_spans")), one_that_can(Needs("denoise"))
    try_this([*(SPANS if fills else ()), *(NOISE if mends else ())])


def names() -> None:
    """What the names on the page mean."""
    params = params_of(AtHead)
    found = zoo.blueprint(params.model)
    sites = [one.bias for one in found.attentions if one.bias is not None][:1]
    cross = found.attentions[-1].prefix(0)
    definitions([*sites, f"{cross}.scores", f"{cross}.weights", found.head.site], params)


part("stage", stage)
with st.container(key="below-stage"):
    later("noises", noises)
    later("tasks", tasks)
    later("biases", biases)
    part("experiments", experiments)
    later("names", names)
