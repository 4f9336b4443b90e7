"""Feed-forward: which units fire on which tokens, what they write, and the curve between."""

import dataclasses

import streamlit as st

from core.experiments import FEEDFORWARD
from core.language import _, name_of
from core.locale import grouped
from core.views.ffn.curve import FORMULAS
from core.views.ffn.unit import NAMES, AtUnit
from pages.parts import controls
from pages.parts.figure import reading, record_of, save_menu, show
from pages.parts.fragments import later, part
from pages.parts.page import (
    definitions,
    heading,
    milliseconds,
    open_page,
    params_of,
    try_this,
)
from pages.parts.stacks import which_stack


def stage() -> None:
    """Which units fire on the selected token."""
    params = open_page(AtUnit)
    record = record_of("ffn.units", params)

    heading(
        _("What is each unit active on?"),
        _("{model} · layer {layer} · {n} units · unit {unit} on “{token}” · ran in {ms} ms").format(
            model=name_of(params.model), layer=record.place, n=grouped(record.n), unit=record.unit,
            token=record.name(record.token), ms=milliseconds(record.trace.seconds),
        ),
        claim=_("After attention has gathered information, the [[feed-forward network]] works on "
                "each token by itself. It has four times as many [[units]] as the vector has "
                "components, so that there is room for many patterns: each unit reads the vector "
                "and adds one of its own. A few have a clear meaning."),
        terms=("activation-function", "gelu", "residual-stream", "logit", "cosine"),
        reads=params,
    )  # fmt: skip
    show("ffn.strip", params, record=record, save=False)
    curve, units = st.columns([9, 17], gap="medium")
    with curve:
        show("ffn.curve", params, record=record)
        own = dataclasses.replace(params, function=record.function)
        controls.choice("function", own, list(NAMES))
    with units:
        show("ffn.units", params, record=record)
        controls.choice("rank", params)
        which_stack(params, record.trace.blueprint)
        save_menu("ffn.strip", params)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(FEEDFORWARD)


def written() -> None:
    """What the selected unit writes, the functions, and what the names mean."""
    params = params_of(AtUnit)
    record = record_of("ffn.units", params)
    st.markdown("## " + _("What the selected unit writes"))
    show("ffn.words", params, record=record)
    reading("ffn.words", record)
    st.markdown(
        _("Each hidden unit does three things. It multiplies the token's vector by its row of "
          "W₁. The activation function keeps mostly what is positive. Then the unit's column "
          "of W₂ is added to the residual stream, multiplied by the activation. Later layers "
          "may still change the effect.")
    )  # fmt: skip
    with st.expander(_("The functions")):
        for name, label in NAMES.items():
            st.latex(r"\text{" + _(label) + "}: " + FORMULAS[name])
        st.markdown(
            _("A gated network multiplies by a second linear map g of the same vector "
              "(Shazeer 2020). The shipped models have no gate, so its curve is drawn for "
              "four values of g. Squared ReLU was found by Primer (So et al. 2021).")
        )  # fmt: skip
        reading("ffn.curve", record)
    block = record.stack.block(0)
    definitions(
        [f"{block}.{name}" for name in ("ln_2.out", "ffn.pre", "ffn.post", "ffn.out")],
        params,
        lengths={record.stack.stream: len(record.tokens)},
    )


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("written", written)
