"""One sentence, every objective: what each way of learning is given, must predict, and loses."""

import streamlit as st

from core import zoo
from core.language import _
from core.views.objectives import Teaching
from pages.parts.messages import say_what_is_shown
from pages.parts.page import heading, params_of, say_which_model
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.offers import experiments


def stage() -> None:
    """The table, and one word of it seen by every model."""
    say_which_model()
    say_what_is_shown()
    params_of(Teaching)  # a model that is named and is not there is said
    heading()
    prose("objectives.table", says=("changes",))
    figure("objectives.table", says=("reading",), height=460)
    dice = Field("dice_seed", "number", again=_("Roll the dice again"))
    prose("objectives.table", controls=("ways", dice, "noise"), notes=("warning", "info"))
    figure("objectives.word", height=240)


def losses() -> None:
    """The numbers side by side, and the tokens behind one of them."""
    st.markdown("## " + _("Which losses can be compared?"))
    figure("objectives.losses", says=("reading",), notes=("more",), height=260)
    figure("objectives.pieces", controls=("lane",), height=120)


def names() -> None:
    """What the names on the page mean."""
    model = params_of(Teaching).model
    definitions("predict.surprisal", [zoo.blueprint(model).head.site], model)


stage()
with st.container(key="below-stage"):
    experiments("objectives")
    losses()
    names()
