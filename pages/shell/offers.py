"""What a page offers to try: each click is a change of the state."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core import views
from core.experiments import Experiment, about
from core.figures.payload import Payload
from core.figures.text import shortened
from core.language import _
from core.lessons.inline import parts as inline
from core.locale import in_quotes
from pages.parts import state
from pages.parts.components import mount
from pages.parts.messages import small_print
from pages.parts.page import QUOTED
from pages.parts.sentence import TEXT


def experiments(*topics: str) -> None:
    """The experiments of some topics, side by side: each is a change of the state.

    No lecture shows them.
    """
    if state.lecture():
        return
    st.markdown("## " + _("Try this"))
    small_print(_("A click sets the page as its card says. Undo brings back what you had."))
    cards = []
    for experiment in about(*topics):
        text = experiment.after.get(TEXT)
        runs = (
            _("It runs on {text}").format(text=in_quotes(shortened(text, QUOTED))) if text else ""
        )
        cards.append({
            "id": experiment.id, "title": _(experiment.title),
            "watch": inline(_(experiment.watch), str), "runs": runs,
            "after": written(experiment), "place": experiment.place, "joins": _joined(experiment),
        })  # fmt: skip
    mount("experiments", Payload({"cards": cards}), key="experiments")


def written(experiment: Experiment) -> dict[str, str | None]:
    """What an experiment sets, as an address says it; None takes a value back to its default."""
    return {
        name: None if value is None else state.as_text(value)
        for name, value in experiment.after.items()
    }


def _joined(experiment: Experiment) -> dict[str, str]:
    """What it puts beside what the learner has, with what she has where nothing says it."""
    fields = views.get(experiment.view).Params.__dataclass_fields__
    return {name: state.as_text(fields[name].default) for name in experiment.joins}


def presets(
    offered: Mapping[str, Mapping[str, str | None]], key: str, *, chosen: str = "", label: str = ""
) -> None:
    """Buttons in a row: each sets the state.

    Args:
        offered: by what stands on it, the names and values that a click sets; None takes one back
            to what the page opens on.
        key: keeps them there from run to run.
        chosen: what stands on the one that holds now, where the script runs for each.
        label: what is chosen among them.
    """
    buttons = [
        {"label": words, "sets": {**patch}, "on": words == chosen}
        for words, patch in offered.items()
    ]
    mount("presets", Payload({"buttons": buttons, "label": label}), key=f"presets-{key}")
