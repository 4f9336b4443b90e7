"""Masks: who may look at whom, what it costs the others, and what the model then says."""

import streamlit as st

from core.language import _
from core.views.masks.run import UnderMask
from pages.parts.messages import explain
from pages.parts.page import heading, open_page, params_of
from pages.parts.runs import shared_runs
from pages.shell.figure import Field, definitions, figure, files, prose
from pages.shell.offers import experiments


def stage() -> None:
    """The mask, and what the model says under it."""
    open_page(UnderMask)
    heading()
    prose("masks.grid", says=("changes", "problem"), notes=("info",))
    figure("masks.batch", save=False)
    figure("masks.strip", save=False, height=70)
    grid, prediction = st.columns([17, 10], gap="large")
    with grid:
        figure("masks.grid", says=("facts", "source"), height=460)
    with prediction:
        figure(
            "masks.prediction", notes=("warning", "more"), height=420,
            controls=("attention", "mask", Field("mask_size", "number"), "head"),
            below=(Field("batch", "lines"),),
        )  # fmt: skip
    files("masks.batch")


def by_hand() -> None:
    """An example with small numbers."""
    st.markdown("## " + _("An example to do by hand"))
    figure("masks.worked", height=300)
    with st.expander(_("A common mistake in lecture notes")):
        prose("masks.worked", notes=("erratum",))


def why() -> None:
    """What a model learns without a mask, and what the names mean."""
    st.markdown("## " + _("Why not train without a mask?"))
    st.markdown(
        _("Two tiny models are trained here on texts of 16 symbols. Each symbol is followed "
          "by one of two others, with equal odds. One model has a causal mask, the other has "
          "none. Both start from the same weights and see the same texts.")
    )  # fmt: skip
    figure("masks.learning", says=("job", "reading"), height=400)
    explain(
        _("That is why BERT, which has no causal mask, is not trained to predict the next "
          "word. Some words of its input are hidden, and it predicts those. An encoder needs "
          "no causal mask, because its whole input is there before it starts.")
    )  # fmt: skip
    params = params_of(UnderMask)
    prefix = shared_runs().model(params.model).blueprint.attention(params.attention).prefix(0)
    names = [f"{prefix}.{name}" for name in ("scores", "scores_masked", "weights")]
    definitions("masks.grid", names, params.model)


stage()
experiments("masks")
by_hand()
why()
