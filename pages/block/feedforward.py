"""Feed-forward: which units fire on which tokens, what they write, and the curve between."""

import streamlit as st

from core.language import _
from core.views.ffn import FORMULAS, NAMES, AtUnit
from pages.parts.page import heading, open_page, params_of
from pages.parts.runs import shared_runs
from pages.shell.figure import definitions, figure, files, prose
from pages.shell.offers import experiments


def stage() -> None:
    """Which units fire on the selected token."""
    open_page(AtUnit)
    heading()
    prose("ffn.strip", says=("changes",))
    figure("ffn.strip", save=False, height=120)
    curve, units = st.columns([9, 17], gap="medium")
    with curve:
        figure("ffn.curve", below=("function",), height=520)
    with units:
        figure("ffn.units", below=("rank", "stack"), says=("facts",), height=520)
        files("ffn.strip")


def explain_further() -> None:
    """Three clicks, what the selected unit writes, the functions, and what the names mean."""
    experiments("feedforward")
    st.markdown("## " + _("What the selected unit writes"))
    figure("ffn.words", says=("reading",), height=160)
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
        prose("ffn.curve", says=("reading",))
    params = params_of(AtUnit)
    block = shared_runs().model(params.model).blueprint.stack(params.stack).block(0)
    names = [f"{block}.{name}" for name in ("ln_2.out", "ffn.pre", "ffn.post", "ffn.out")]
    definitions("ffn.units", names, params.model)


stage()
with st.container(key="below-stage"):
    explain_further()
