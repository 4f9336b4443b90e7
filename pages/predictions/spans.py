"""Spans and noise: a text is damaged as in the training of T5 and BART, and a model mends it."""

import streamlit as st

from core import zoo
from core.language import _, name_of
from core.models.abilities import ABILITIES, Ability
from core.models.needs import Needs
from core.shelf.abilities import one_for
from core.views.noise.spans import Spanning
from pages.parts.messages import say
from pages.parts.page import heading, model_here, open_page
from pages.parts.runs import device, shared_runs
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.offers import experiments

DAMAGED = ("noise.damaged", "noise.wanted", "noise.rewritten")


def one_that_can(needs: Needs) -> str:
    """The page's model, or another one of the shelf, if it has what a part needs; else empty."""
    return one_for(model_here(), needs)


def nobody(ability: Ability) -> None:
    """Say that a part of the page waits for a model."""
    words = _("No model on the shelf can {ability}, so this part of the page is empty.")
    say("info", words.format(ability=_(ABILITIES[ability].says)), icon=":material/inbox:")


def seed(name: str) -> Field:
    """The seed of that name, and the next one."""
    return Field(name, "number", again=_("Draw again"))


def stage() -> None:
    """The text with spans cut out, what the model has to write, and what it writes."""
    open_page(Spanning)
    heading()
    if not one_that_can(Needs("fill_spans")):
        nobody("fill_spans")
        return
    strips, beside = st.columns([3, 2], gap="large")
    with strips:
        figure("noise.text", says=("changes", "facts"), notes=("info",), save=False, height=110)
        figure("noise.source", save=False, height=110)
        figure("noise.target", height=160)
        figure("noise.filled", says=("source",), height=110)
    with beside:
        prose("noise.text", says=("reading",))
        figure("noise.fillings", height=140)
        prose("noise.target", says=("reading",))
        prose("noise.filled", says=("reading",))
        rates = (Field("span_rate", step=0.05), Field("span_mean", step=0.5))
        prose("noise.text", controls=(*rates, seed("span_seed")))


def noises() -> None:
    """The same text damaged in BART's five ways."""
    st.markdown("## " + _("Five other ways to damage a text"))
    if not one_that_can(Needs("denoise")):
        nobody("denoise")
        return
    st.markdown(
        _("BART's decoder writes the whole text, not only what is missing. Most of it can be "
          "copied from what the encoder reads. Only the hidden tokens have to be guessed, so only "
          "they say how well the model has learned.")
    )  # fmt: skip
    prose("noise.damaged", controls=("noise",))
    strips, beside = st.columns([3, 2], gap="large")
    with strips:
        for view in DAMAGED:
            figure(view, height=160)
    with beside:
        for view in DAMAGED:
            prose(view, says=("reading",))
        prose("noise.damaged", controls=(Field("noise_rate", step=0.05), seed("noise_seed")))


def tasks() -> None:
    """The same sentence behind each prefix that the model knows, and behind one's own."""
    st.markdown("## " + _("Another prefix, another task"))
    model = one_that_can(Needs("fill_spans"))
    if not model:
        nobody("fill_spans")
        return
    prefixes = shared_runs().model(model, device()).prefixes
    st.markdown(
        _("Nothing changes but the beginning of the input. The weights are the same, and so is "
          "the way of writing: the answer is a text for every task, even where it is a label.")
    )  # fmt: skip
    prose("noise.answer", controls=("task_text",))
    columns = st.columns(len(prefixes) + 1, gap="medium")
    for column, prefix in zip(columns, ["", *prefixes.values()], strict=True):
        with column:
            st.markdown(f"`{prefix.strip()}`" if prefix else "**" + _("no prefix") + "**")
            figure("noise.answer", says=("reading",), height=120, fixed={"prefix": prefix})
    field = Field("prefix", placeholder=next(iter(prefixes.values()), ""))
    prose("noise.answer", controls=(field,))
    figure("noise.own", says=("reading",))


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
    prose("positions.added", controls=("attention",))
    figure("positions.bias", says=("reading", "source"), height=560)
    prose("positions.added", controls=("layer", "head"))
    columns = st.columns(3, gap="medium")
    for column, view in zip(columns, ("positions.unbiased", "positions.added"), strict=False):
        with column:
            figure(view, says=("reading",), follows=("token", "key"), height=420)
    with columns[2]:
        figure("attention.weights", height=420, fixed={"model": model})


def tried() -> None:
    """Clicks that move a number, for each kind of model that is there."""
    fills, mends = one_that_can(Needs("fill_spans")), one_that_can(Needs("denoise"))
    experiments(*(["spans"] if fills else []), *(["noise"] if mends else []))


def names() -> None:
    """What the names on the page mean."""
    model = model_here()
    blueprint = zoo.blueprint(model)
    sites = [attention.bias for attention in blueprint.attentions if attention.bias is not None][:1]
    cross = blueprint.attentions[-1].prefix(0)
    named = [*sites, f"{cross}.scores", f"{cross}.weights", blueprint.head.site]
    definitions("attention.weights", named, model)


stage()
with st.container(key="below-stage"):
    noises()
    tasks()
    biases()
    tried()
    names()
