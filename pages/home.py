"""The whole run as one picture that flows, each layer of it open to whoever goes in."""

import streamlit as st

from core import views
from core.experiments import HOME
from core.language import _
from core.lessons.screen.tour import AT_REST, sums_up
from core.machines import working
from core.shelf import can
from core.text.marks import MASK
from core.views.map.answers import question_of
from core.views.map.flowing import FlowParams
from pages.parts import state
from pages.parts.messages import small_print
from pages.parts.page import heading, model_here, open_page
from pages.parts.pictures import lead_to_drawing, say_which_picture, size_for
from pages.parts.runs import device, shared_runs
from pages.shell import place
from pages.shell.figure import drawn, prose
from pages.shell.offers import experiments, presets
from pages.shell.player import player, touring


def stage() -> None:
    """The whole run, or the ten clicks through it."""
    if touring():
        player(anew=True)
        return
    params = open_page(FlowParams)
    if params.picture:
        say_which_picture(state.read(FlowParams).picture)
    place.note_what_lacks(params)
    blueprint = shared_runs().model(params.model, device()).blueprint
    told, asked = working(blueprint), question_of(blueprint, hidden=MASK in params.read_text)
    of_text = () if params.picture else ("space-dot", "start")
    heading(
        _(asked),
        claim=_(told.claim),
        terms=(*told.terms, "logit", "counting", *of_text, "colours"),
    )
    with st.container(key="flow-said"):
        prose("map.flow", says=("reading", "cut", "changes"), notes=("info",),
              follows=place.SELECTED)  # fmt: skip
    with st.container(key="flow"):
        drawn("map.flow", {"tells": True}, height=420)
    if params.picture:
        other_pictures()
        return
    if can(params.model, views.get("map.line").needs):
        with st.container(key="flow-ends"):
            prose("map.line", says=("panel",), more={"sums": sums_up()})
    # In one row where there is room, so that what if is in sight below the picture.
    with st.container(horizontal=True, vertical_alignment="center"):
        small_print(_("Type your own sentence above, or click a part of the picture to go into "
                      "it. In its strips red is above zero, blue below, and pale near "
                      "it."))  # fmt: skip
        presets({_("Ten clicks through the model"): {**AT_REST, "tour": "1"}}, "tour")


def other_pictures() -> None:
    """What else a model that looks at pictures can be given, and where one is drawn."""
    small_print(_("Choose another picture below, or click a part of the figure to go into it. In "
                  "its strips red is above zero, blue below, and pale near it."))  # fmt: skip
    drawn("vision.samples", {"picks": True}, controls=("samples_of",), save=False,
          fixed={"samples_size": size_for(model_here())})  # fmt: skip
    lead_to_drawing()


def offers() -> None:
    """Three clicks that show something."""
    if not touring():
        experiments(HOME)


stage()
place.show_place()
with st.container(key="below-stage"):
    offers()
