"""Cost: what a Transformer of any shape costs, by formula, beside what is counted and measured."""

import streamlit as st

from core.language import _, name_of
from core.shelf.abilities import one_for
from core.views.cost.machines import CostSameView
from core.views.cost.plan import SIZES
from core.views.predict.next import SamplingChoice
from pages.parts import state
from pages.parts.page import heading, text_or_example
from pages.shell.figure import Field, figure, prose
from pages.shell.offers import experiments


def stage() -> None:
    """The shape, its parameters and its multiplications."""
    heading()
    prose("cost.sizes", controls=("cost_plan", "cost_kind"))
    sizes = [Field(name, "number") for name in SIZES]
    prose("cost.sizes", controls=sizes, notes=("warning",))
    learned, worked = st.columns(2, gap="large")
    with learned:
        figure("cost.sizes", says=("reading",), height=480)
    with worked:
        figure("cost.work", says=("reading",), height=480)
        figure("cost.memory", says=("reading",), height=240)


def growth() -> None:
    """Where the law of the square begins."""
    st.markdown("## " + _("When does attention cost the most?"))
    figure("cost.growth", controls=(Field("cost_length", "number"),), says=("reading",), height=380)


def measured() -> None:
    """Times on this machine."""
    st.markdown("## " + _("Does a clock say the same?"))
    figure(
        "cost.times", controls=(Field("cost_source", "number"),), says=("reading",),
        notes=("more",), height=400,
    )  # fmt: skip


def cache() -> None:
    """What the key-value cache saves, and that nothing is lost."""
    st.markdown("## " + _("What does the cache save?"))
    params = state.read(SamplingChoice)
    model = one_for(params.model, CostSameView.needs)
    if not model:  # none of the shelf writes over a cache
        return
    st.markdown(_("{model} reads your text, token after token.").format(model=name_of(model)))
    steps, ledger = st.columns(2, gap="large")
    fixed = {"model": model}
    if not params.text.strip():  # no box here waits for another text
        fixed["text"] = text_or_example(params).text
    with steps:
        figure("cost.same", says=("reading",), notes=("more",), height=340, fixed=fixed)
    with ledger:
        figure("predict.cache", says=("reading",), height=420, fixed=fixed)


def compare_published() -> None:
    """The formula against what is published, and against what is counted."""
    st.markdown("## " + _("Is the formula right?"))
    published, shelf = st.columns(2, gap="large")
    with published:
        figure("cost.published", says=("reading",), notes=("more",), height=420)
    with shelf:
        figure("cost.shelf", says=("reading",), notes=("more",), height=420)


stage()
with st.container(key="below-stage"):
    experiments("cost")
    growth()
    measured()
    cache()
    compare_published()
