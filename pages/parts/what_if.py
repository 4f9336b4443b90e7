"""The panel "What if" below the flowing run: what can be changed, and each change undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.language import _
from core.models.places import Place
from core.views.map import offered
from core.views.map.flowing import FlowParams, FlowRun
from pages.parts import state
from pages.parts.components import mount
from pages.parts.figure import record_of
from pages.parts.page import params_of
from pages.parts.title import words
from pages.parts.visiting import in_place


def show_panel(record: FlowRun, here: Place | None) -> None:
    """The panel where somebody has gone; of the whole run where nobody has."""
    mount("whatif", offered.panel(record, here), key="what-if", on={
        "turn": _heard(offered.turned),
        "undo": _heard(offered.undone),
        "set": _heard(offered.set_to),
        "swap": _heard(offered.swapped),
        "all": lambda _said: state.update({"off": None, "swap": None}),
    })  # fmt: skip
    st.html(words(("bit", "temperature"), _("Words in this panel:")))


def drag(said: Any) -> None:
    """A weight was dragged in the picture; what it was dragged from may have to be computed."""
    with in_place():
        record = record_of("map.flow", params_of(FlowParams), selected=True)
    state.update(offered.dragged(record, said))


def _heard(changed: Callable[[FlowParams, Any], offered.Link]) -> Callable[[Any], None]:
    """What is done when the browser says something: the link as it is now, changed."""

    def hear(said: Any) -> None:
        state.update(changed(state.read(FlowParams), said))

    return hear
