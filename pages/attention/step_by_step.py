"""Attention, step by step: one head on the learner's sentence, every number with its arithmetic."""

import streamlit as st

from core.experiments import ATTENTION
from core.language import _
from core.views.attention.unscaled import AtHeadScaled
from pages.parts.attention import formula
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
    experiments(ATTENTION)


def further() -> None:
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
        own, random = st.columns(2, gap="large")
        with own:
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
further()
