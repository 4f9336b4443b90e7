"""Break-it bench: a fault is put into a machine, and every figure shows it beside the whole one."""

from dataclasses import replace

import streamlit as st

from core import zoo
from core.experiments import BENCH
from core.language import _
from core.views.bench.run import Breaking, Broken, faults_of, sites_of_a_layer
from core.views.shapes.curves import GROUPS, OfCurves, any_recorded
from pages.parts import controls, state
from pages.parts.attention import which_attention, which_head
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.page import (
    definitions,
    heading,
    open_page,
    params_of,
    try_this,
)

TRAINED = [name for name in GROUPS if name != "shapes"]  # groups of models with a fault


def stage() -> None:
    """The fault, and what becomes of attention, sizes and guesses."""
    params = open_page(Breaking)
    heading(
        _("What happens when one line is wrong?"),
        claim=_("Choose a fault. It is put into the running machine while it reads your text; its "
                "learned [[weight|numbers]] stay as they are. Some faults are easy to see, others "
                "leave most figures as they were."),
        terms=("causal-mask", "softmax", "residual-stream", "layernorm", "dropout", "head"),
        reads=params,
    )  # fmt: skip
    known = faults_of(zoo.blueprint(params.model))
    record = record_of("bench.weights", params)
    chosen = replace(params, fault=record.fault.id)
    controls.choice_of_many("fault", chosen, list(known), lambda one: _(known[one]))
    show_notes("bench.weights", record, "info")
    looked, other = st.columns(2, gap="large")
    with looked:
        show("bench.weights", params, record=record)
        reading("bench.weights", record)
        which_attention(record.broken)
        which_head(record.broken)
    with other:
        what_is_wrong(record)
        show("bench.guesses", params, record=record)
        reading("bench.guesses", record)
        show("bench.sizes", params, record=record)
        reading("bench.sizes", record)


def what_is_wrong(record: Broken) -> None:
    """The line as it should be and as it is, and what gives it away."""
    fault = record.fault
    right, wrong = st.columns(2)
    with right:
        st.markdown(_("As it should be"))
        st.code(fault.right, language="python", wrap_lines=True)
    with wrong:
        st.markdown(_("As it is now"))
        st.code(fault.wrong, language="python", wrap_lines=True)
    st.markdown(_("What gives it away: {shows}").format(shows=_(fault.shows)))


def experiments() -> None:
    """Three clicks that show something."""
    try_this(BENCH)


def trained() -> None:
    """What small models learned that had a fault from their first step on."""
    if not any_recorded():
        return
    params = state.read(OfCurves)
    if params.curve_group not in TRAINED:
        params = replace(params, curve_group="broken")
    st.markdown("## " + _("What if the fault is there from the start?"))
    st.markdown(
        _("Then a model learns around it, as far as it can. Each curve is that of a small model "
          "that was trained with one fault, or with its norms in another place.")
    )  # fmt: skip
    which, line = st.columns(2, vertical_alignment="bottom")
    with which:
        controls.choice("curve_group", params, TRAINED, lambda one: _(GROUPS[one]))
    with line:
        controls.choice("curve_line", params)
    reading("shapes.curves", show("shapes.curves", params))


def names() -> None:
    """What the names on the page mean."""
    params = params_of(Breaking)
    definitions(sites_of_a_layer(zoo.blueprint(params.model)), params)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("trained", trained)
    later("names", names)
