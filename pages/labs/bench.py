"""Break-it bench: a fault is put into a machine, and every figure shows it beside the whole one."""

import streamlit as st

from core import zoo
from core.language import _
from core.views.bench import Breaking, sites_of_a_layer
from core.views.shapes import GROUPS, any_recorded
from pages.parts import state
from pages.parts.page import heading, open_page, params_of
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.offers import experiments

TRAINED = [name for name in GROUPS if name != "shapes"]  # groups of models with a fault


def stage() -> None:
    """The fault, and what becomes of attention, sizes and guesses."""
    open_page(Breaking)
    heading()
    wall = state.lecture()  # there what is chosen and said stands beside its picture
    if not wall:
        _chosen()
    looked, other = st.columns(2, gap="large")
    moved, chosen = ("layer", "head"), ("attention",)
    with looked:
        figure("bench.weights", below=chosen if wall else (*chosen, *moved),
               says=() if wall else ("reading",), follows=("token",), height=520)  # fmt: skip
    with other:
        if wall:
            _chosen()
            prose("bench.weights", controls=moved, says=("reading",), follows=("token",))
        prose("bench.weights", notes=("code", "more"))
    with st.container() if wall else other:
        figure("bench.guesses", says=("reading",), height=300)
        figure("bench.sizes", says=("reading",), height=340)


def _chosen() -> None:
    """The fault, and what the model makes of the text."""
    prose("bench.weights", controls=(Field("fault", "many"),), says=("changes",), notes=("info",))


def trained() -> None:
    """What small models learned that had a fault from their first step on."""
    if not any_recorded():
        return
    st.markdown("## " + _("What if the fault is there from the start?"))
    st.markdown(
        _("Then a model learns around it, as far as it can. Each curve is that of a small model "
          "that was trained with one fault, or with its norms in another place.")
    )  # fmt: skip
    groups = Field("curve_group", options=[(exercise, _(GROUPS[exercise])) for exercise in TRAINED])
    figure("shapes.curves", controls=(groups, "curve_line"), says=("reading",), height=560)


def names() -> None:
    """What the names on the page mean."""
    model = params_of(Breaking).model
    definitions("bench.weights", sites_of_a_layer(zoo.blueprint(model)), model)


stage()
with st.container(key="below-stage"):
    experiments("bench")
    trained()
    names()
