"""Bug hunt: a seed hides a fault in the machine; the learner finds it from what she sees."""

import streamlit as st

from core import zoo
from core.views.bench import sites_of_a_layer
from core.views.hunt import Hunting
from pages.parts.page import heading, open_page, params_of
from pages.shell.figure import Field, definitions, figure, prose


def stage() -> None:
    """The symptoms, the probes, and the diagnosis."""
    open_page(Hunting)
    heading()
    prose("hunt.weights", says=("changes",))
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure("hunt.weights", below=("attention", "layer", "head"), says=("reading",),
               follows=("token",), height=520)  # fmt: skip
    with right:
        number = Field("hunt_seed", "number")
        prose("hunt.weights", controls=(number, "hunt_next"), notes=("question",))
        prose("hunt.weights", controls=(Field("suspect", "many"), "hunt_diagnosis"),
              notes=("info", "code", "more"))  # fmt: skip
        prose("hunt.weights", controls=("hunt_buys",))
    sizes, guesses = st.columns(2, gap="large")
    with sizes:
        figure("hunt.sizes", says=("reading",), height=340)
    with guesses:
        figure("hunt.guesses", says=("reading",), height=300)


def names() -> None:
    """What the names on the page mean."""
    model = params_of(Hunting).model
    definitions("hunt.weights", sites_of_a_layer(zoo.blueprint(model)), model)


stage()
with st.container(key="below-stage"):
    names()
