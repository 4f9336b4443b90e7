"""Attention, step by step: one head on the learner's sentence, every number with its arithmetic."""

import streamlit as st

from core.experiments import ATTENTION
from core.language import _
from core.views.attention.scaling import ScalingParams
from core.views.attention.unscaled import AtHeadScaled
from core.views.parts import head_at
from pages.parts import controls, state
from pages.parts.attention import formula, which_attention
from pages.parts.figure import reading, record_of, show, show_steps
from pages.parts.fragments import later, part
from pages.parts.page import (
    definitions,
    heading,
    n_tokens,
    open_page,
    params_of,
    ran_in,
    try_this,
)


def stage() -> None:
    """One head, step by step."""
    params = open_page(AtHeadScaled)
    record = record_of("attention.steps", params)
    run = record.trace

    heading(
        _("Which tokens does each token attend to?"),
        (
            head_at(record), n_tokens(len(record.queries)), ran_in(run.seconds),
            _("every number is from this run"),
        ),
        claim=_("Each token makes a [[query]] that says what it looks for, a [[key]] by which it "
                "can be found, and a [[value]] that it passes on. Its query is compared with "
                "every key, a [[softmax]] turns the scores into weights, and the token takes in "
                "the weighted sum of the values: so information moves between tokens."),
        terms=("attention", "space-dot", "start", "score", "weight", "head", "induction",
               "entropy", "gradient", "jacobian"),
        reads=params,
    )  # fmt: skip
    show("attention.row", params, record=record, save=False)

    layer, head, steps = st.columns([5, 5, 11], vertical_alignment="bottom")
    with layer, controls.lower_on_a_phone("layer"):
        controls.choice("layer", params, range(record.attention.n_layers))
    with head, controls.lower_on_a_phone("head"):
        controls.choice("head", params, range(record.n_heads))
    with steps:
        show_steps("attention.steps", record, key="steps")
    show("attention.steps", params, record=record)
    which_attention(record)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(ATTENTION)


def unscaled() -> None:
    """What scaling does to the row that is selected."""
    params = params_of(AtHeadScaled, follow=("token",))
    reading("attention.unscaled", record_of("attention.unscaled", params, selected=True))


def further() -> None:
    """Why the scores are scaled, the formula, and what the names mean."""
    params = params_of(AtHeadScaled)
    record = record_of("attention.steps", params)
    scaled = record.attention.scale is not None
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
            show("attention.unscaled", params)
            part("unscaled", unscaled)
    with random:
        scaling = state.read(ScalingParams)
        reading("attention.scaling", show("attention.scaling", scaling))
        controls.slider("n_keys", scaling)
    with st.expander(_("The formula")):
        formula(record.attention, record("q").shape[1])
    sites = ("q", "k", "v", "dots", "scores", "scores_masked", "weights", "z", "out")
    names = [f"{record.attention.prefix(0)}.{site}" for site in sites]
    if record.attention.bias is not None:
        names.insert(names.index(f"{record.attention.prefix(0)}.scores"), record.attention.bias)
    definitions(names, params, record.trace.lengths)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("further", further)
