"""Attention, step by step: one head on the learner's sentence, every number with its arithmetic."""

import streamlit as st

from core.language import _
from core.locale import spelt
from core.models.blueprint import Attention
from core.views.attention.scaling import AtHeadScaled
from pages.parts.page import heading, open_page, params_of
from pages.parts.runs import shared_runs
from pages.shell.figure import definitions, figure, prose
from pages.shell.offers import experiments


def stage() -> None:
    """One head, step by step."""
    open_page(AtHeadScaled)
    heading()
    prose("attention.row", says=("changes",))
    figure("attention.row", save=False, height=120)
    figure(
        "attention.steps", controls=("layer", "head", "attention"), says=("steps", "facts"),
        height=420,
    )  # fmt: skip
    experiments("attention")


def formula(attention: Attention, d_head: int) -> None:
    """The equation of a kind of attention, and what is in it.

    Args:
        attention: which.
        d_head: width of one of its heads.
    """
    score = r"q\,k^\top" if attention.scale is None else r"\frac{q\,k^\top}{\sqrt{d_\mathrm{head}}}"
    bias = "" if attention.bias is None else " + b"
    st.latex(rf"\mathrm{{Attention}}(q, k, v) = \mathrm{{softmax}}\!\left({score}{bias}\right) v")
    if attention.scale is not None:
        text = _("Here d_head = {d}, so scores are divided by {root}. Vaswani et al. 2017, "
                 "equation (1). With several heads it is the width of one head that counts, not "
                 "d_model.")  # fmt: skip
        st.markdown(text.format(d=d_head, root=spelt(f"{attention.scale:g}")))
    if attention.bias is not None:
        st.markdown(
            _("b is a learned number for each head and distance between query and key. Raffel et "
              "al. 2020, section 2.1.")
        )  # fmt: skip


def explain_further() -> None:
    """Why the scores are scaled, the formula, and what the names mean."""
    params = params_of(AtHeadScaled)
    model = shared_runs().model(params.model)
    attention = model.blueprint.attention(params.attention)
    scaled = attention.scale is not None
    title = _("Why divide by √d_head?") if scaled else _("Why do other models divide by √d_head?")
    st.markdown("## " + title)
    st.markdown(
        _("At the beginning of training, think of a query and a key as two random vectors, "
          "independent of each other, each of d independent components with mean 0 and variance "
          "1. Their dot product has a standard deviation of √d. So the more components, the "
          "larger the scores, and the softmax of large scores puts nearly all weight on one "
          "key. Then its gradient is close to zero, and the model learns very slowly.")
    )  # fmt: skip
    random = st.container()
    if scaled:
        unscaled, random = st.columns(2, gap="large")
        with unscaled:
            figure("attention.unscaled", says=("reading",), follows=("token",), height=320)
    with random:
        figure("attention.scaling", controls=("n_keys",), says=("reading",), height=480)
    with st.expander(_("The formula")):
        formula(attention, model.sizes["Dh"])
    sites = ("q", "k", "v", "dots", "scores", "scores_masked", "weights", "z", "out")
    names = [f"{attention.prefix(0)}.{site}" for site in sites]
    if attention.bias is not None:
        names.insert(names.index(f"{attention.prefix(0)}.scores"), attention.bias)
    definitions("attention.steps", names, params.model)


stage()
explain_further()
