"""Cost: what a Transformer of any shape costs, by formula, beside what is counted and measured."""

from dataclasses import replace

import streamlit as st

from core.experiments import COST
from core.language import _, name_of
from core.views.cost.growth import Growing
from core.views.cost.planned import OWN
from core.views.cost.published import Listed
from core.views.cost.same import Same
from core.views.cost.shelf import OnShelf
from core.views.cost.times import Timing
from core.views.predict.choosing import Choosing
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.page import heading, text_or_last, try_this
from pages.parts.runs import one_for

SIZES = ("cost_layers", "cost_width", "cost_heads", "cost_ff", "cost_vocab", "cost_context")
CACHED = Same.needs


def stage() -> None:
    """The shape, its parameters and its multiplications."""
    params = state.read(Growing)
    heading(
        _("What does a Transformer cost?"),
        claim=_("One formula counts the parameters of every Transformer, and one more the "
                "multiplications of a pass. Choose a published machine, or set the sizes of your "
                "own."),
        terms=("parameter", "flop", "d-model", "feed-forward", "vocabulary", "context", "layernorm",
               "cross-attention", "kv-cache", "logit"),
    )  # fmt: skip
    controls.choice("cost_plan", params)
    if params.cost_plan == OWN:
        own_sizes(params)
    learned, worked = st.columns(2, gap="large")
    with learned:
        record = record_of("cost.sizes", params)
        show("cost.sizes", params, record=record)
        reading("cost.sizes", record)
        show_notes("cost.sizes", record, "warning")
    with worked:
        reading("cost.work", show("cost.work", params))
        reading("cost.memory", show("cost.memory", params))


def own_sizes(params: Growing) -> None:
    """The form for a machine of one's own; it begins as our GPT."""
    controls.choice("cost_kind", params)
    for column, name in zip(st.columns(len(SIZES)), SIZES, strict=True):
        with column:
            controls.number(name, params)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(COST)


def growth() -> None:
    """Where the law of the square begins."""
    params = state.read(Growing)
    st.markdown("## " + _("When does attention cost the most?"))
    controls.number("cost_length", params)
    reading("cost.growth", show("cost.growth", params))


def measured() -> None:
    """Times on this machine."""
    st.markdown("## " + _("Does a clock say the same?"))
    params = state.read(Timing)
    controls.number("cost_source", params)
    record = show("cost.times", params)
    reading("cost.times", record)
    if record is not None:
        show_notes("cost.times", record, "more")


def cache() -> None:
    """What the key-value cache saves, and that nothing is lost."""
    st.markdown("## " + _("What does the cache save?"))
    params = text_or_last(state.read(Choosing))
    model = one_for(params.model, CACHED)
    if not model:  # none of the shelf writes over a cache
        return
    params = replace(params, model=model)
    st.markdown(_("{model} reads your text, token after token.").format(model=name_of(model)))
    steps, ledger = st.columns(2, gap="large")
    with steps:
        record = show("cost.same", params)
        reading("cost.same", record)
        if record is not None:
            show_notes("cost.same", record, "more")
    with ledger:
        reading("predict.cache", show("predict.cache", params))


def known() -> None:
    """The formula against what is published, and against what is counted."""
    st.markdown("## " + _("Is the formula right?"))
    published, shelf = st.columns(2, gap="large")
    with published:
        record = show("cost.published", state.read(Listed))
        reading("cost.published", record)
        show_notes("cost.published", record, "more")
    with shelf:
        counted = show("cost.shelf", state.read(OnShelf))
        reading("cost.shelf", counted)
        if counted is not None:
            show_notes("cost.shelf", counted, "more")


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("growth", growth)
    later("measured", measured)
    later("cache", cache)
    later("known", known)
