"""The whole run as one picture that flows, each layer of it open to whoever goes in."""

from urllib.parse import urlencode

import streamlit as st

from core import views
from core.answers.app import FIGURE_FILES
from core.answers.titles import title_html
from core.language import _, language
from core.lessons.screen.tour import AT_REST, sums_up
from core.shelf.abilities import can
from core.shelf.machines import working
from core.text.marks import MASK
from core.views.map.flow import AT_HEAD
from core.views.map.run import question_of
from core.views.map.story import FlowParams
from pages.parts import state
from pages.parts.messages import small_print
from pages.parts.page import model_here, open_page, row_here
from pages.parts.pictures import lead_to_drawing, say_which_picture, size_for
from pages.parts.prefix import prefix
from pages.parts.runs import device, shared_runs
from pages.shell import place
from pages.shell.figure import drawing, prose
from pages.shell.offers import experiments, presets
from pages.shell.player import player, touring

OF_TEXT = ("space-dot", "start")  # terms that no run on a picture needs


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
    intro, title = working(blueprint), question_of(blueprint, hidden=MASK in params.read_text)
    terms = [term for term in row_here().terms if not (params.picture and term in OF_TEXT)]
    st.html(title_html(_(title), "", _(intro.claim), (*intro.terms, *terms)))
    with st.container(key="flow-said"):
        prose("map.flow", says=("reading", "cut", "changes"), notes=("info",),
              follows=place.SELECTED)  # fmt: skip
    with st.container(key="flow"):
        drawing("map.flow", {"tells": True, "inside": head_told(params.model)}, height=420)
    if params.picture:
        other_pictures()
        return
    tour, label = {**AT_REST, "tour": "1"}, _("Ten clicks, with questions")
    if not can(params.model, views.get("map.line").needs):
        presets({label: tour}, "tour")
        return
    with st.container(key="flow-ends"):
        more = {"sums": sums_up(), "tour": {"label": label, "sets": tour}, "at_foot": True}
        prose("map.line", says=("panel",), more=more)


def head_told(model: str) -> str:
    """Where a head is asked for that the story goes into."""
    query = {**AT_HEAD, "model": model, "_language": language()}
    return f"{prefix()}{FIGURE_FILES}/map.inside.bin?{urlencode(query)}"


def other_pictures() -> None:
    """What else a model that looks at pictures can be given, and where one is drawn."""
    small_print(_("Choose another picture below, or click a part of the figure to go into it. In "
                  "its strips red is above zero, blue below, and faint near it."))  # fmt: skip
    drawing("vision.samples", {"picks": True}, controls=("samples_of",), save=False,
            fixed={"samples_size": size_for(model_here())})  # fmt: skip
    lead_to_drawing()


stage()
place.show_place()
if not touring():
    small_print(_("Click a part of the picture to go into it. In its strips red is above zero, "
                  "blue below, and faint near it."))  # fmt: skip
with st.container(key="below-stage"):
    if not touring():
        experiments("home")
