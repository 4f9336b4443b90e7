"""All heads: every layer and head at a glance, one of them large, as a matrix and as lines."""

import streamlit as st

from core.language import _
from core.views.attention.heads import AtHeads
from pages.parts.messages import say
from pages.parts.page import heading, open_page, params_of
from pages.parts.runs import shared_runs
from pages.shell.figure import definitions, figure, in_turn, prose
from pages.shell.offers import experiments


def top() -> None:
    """The text, as the selected head looks at it."""
    open_page(AtHeads)
    heading()
    prose("attention.row", says=("changes",))
    figure("attention.row", save=False, height=120)


def stage() -> None:
    """All heads, small, and the selected one, large."""
    left, right = st.columns(2, gap="large")
    with left:
        figure(
            "attention.heads", controls=("attention",), says=("reading", "facts"),
            follows=("score",), height=460,
        )  # fmt: skip
    with right:
        prose("attention.lines", controls=("drawn",))
        drawn = {"matrix": "attention.weights", "lines": "attention.lines"}
        in_turn("drawn", drawn, says=("source",), height=460)


def explain_further() -> None:
    """Three clicks that show something, what a weight does not say, and what the names mean."""
    experiments("heads")
    say(
        "info",
        _("A large weight says where a value is taken from. It does not say how much that "
          "value matters for the answer: a head can attend to a token and add almost nothing."),
        icon=":material/visibility:",
    )  # fmt: skip
    prose("attention.heads", notes=("more",))
    params = params_of(AtHeads)
    prefix = shared_runs().model(params.model).blueprint.attention(params.attention).prefix(0)
    names = [f"{prefix}.{site}" for site in ("weights", "z", "out")]
    definitions("attention.heads", names, params.model)


top()
stage()
with st.container(key="below-stage"):
    explain_further()
