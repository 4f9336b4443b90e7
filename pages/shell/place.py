"""The place that somebody has gone into, for the picture of the run, and what if, below it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core import views
from core.answers.titles import words
from core.errors import CoreError
from core.language import _
from core.shelf.abilities import can
from core.views.map.inside import MORE
from core.views.map.story import FlowParams
from core.views.params import at_rest
from pages.parts import state
from pages.parts.page import model_here
from pages.parts.prefix import page_at
from pages.parts.runs import device, shared_runs
from pages.parts.table import page_of
from pages.shell.figure import drawing, files, prose
from pages.shell.player import touring

SELECTED = ("place", "token", "source_token")


def note_what_lacks(params: FlowParams) -> None:
    """Say what a new link asks for and the run does not have: a place, a change, a word."""
    if not (params.place or params.off or params.swap):
        return
    try:
        view, rest = views.get("map.flow"), at_rest(params)
        runs = [shared_runs().get(request, device()) for request in view.requests(rest)]
        record = view.compute(runs, rest)
    except CoreError:
        return  # the picture says it
    state.note(replace(record, params=params).lacking())


def show_place() -> None:
    """What a part's numbers say, and what if it were off; the inside is drawn in the picture."""
    if touring():
        return
    drawing("map.inside", {"hosted": True}, save=False)
    prose("map.flow", says=("panel", "facts"), follows=SELECTED, more={"ways": _ways()})
    st.html(words(("temperature",), _("Words in this panel:")))
    files("map.inside")


def _ways() -> dict[str, dict[str, str]]:
    """By what may tell more of a place, the page that shows it of this model."""
    model = model_here()
    rows = {view: page_of(view, model) for view in MORE}
    return {
        view: {"page": page_at(row.address), "title": _(row.title)}
        for view, row in rows.items()
        if can(model, row.needs)
    }
