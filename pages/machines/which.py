"""Which machine for what: a table of uses that the learner fills and probes settle."""

import streamlit as st

from core import zoo
from core.answers.names import PageNames
from core.answers.partners import with_partners
from core.views.which import Deciding
from pages.parts.page import heading, params_of, say_which_model
from pages.parts.state import read
from pages.shell.figure import definitions, figure, prose
from pages.shell.offers import experiments


def stage() -> None:
    """The table, the guess of the cell that is looked at, and its probe."""
    chosen = read(PageNames).model
    if chosen not in with_partners(params_of(Deciding), chosen).machines.values():
        say_which_model()
    heading()
    table, probe = st.columns([3, 2], gap="large")
    with table:
        figure("which.table", says=("reading",), notes=("warning",), height=380)
    with probe:
        prose("which.probe", notes=("question",))
        prose("which.probe", controls=("guesses",))
        figure("which.probe", says=("reading", "source"), notes=("more",), height=270)


def names() -> None:
    """What the names on the page mean."""
    model = params_of(Deciding).model
    blueprint = zoo.blueprint(model)
    last = blueprint.sites("@layers")[-1:] if blueprint.towers else ()
    # A run of surprisal has the lengths of the text.
    definitions("predict.surprisal", [*last, blueprint.head.site], model)


stage()
with st.container(key="below-stage"):
    experiments("which")
    names()
