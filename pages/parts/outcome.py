"""What an experiment moved: its number before and after, above the figure that shows it."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError
from core.experiments import BY_ID, Experiment
from core.language import _
from core.runs.requests import Request
from core.views.params import declared
from pages.parts import state
from pages.parts.names import Tried

OUTCOME = "outcome"  # the key of its place, which the page scrolls to


def outcome_at(figures: tuple[str, str], answer: Callable[[Request], Any]) -> None:
    """Show what the last experiment moved, if what is shown next is to be looked at.

    Nothing once something else has been chosen than the experiment did.

    Args:
        figures: the view and the key of what is shown next, or the name of several figures.
        answer: carries a request out.
    """
    experiment = BY_ID.get(state.read(Tried).experiment)
    if experiment is None or experiment.place not in figures:
        return
    if not still(experiment, state.read(views.get(experiment.view).Params)):
        return
    try:
        found = experiment.outcome(answer)
    except CoreError:
        return  # the figure says it
    sides = [
        f"<div class='side{extra}'><small>{html.escape(_(name))}</small>"
        f"<b>{html.escape(experiment.written(value))}</b></div>"
        for name, value, extra in zip(
            experiment.sides, (found.before, found.after), ("", " after"), strict=True
        )
    ]
    with st.container(key=OUTCOME):
        st.html(
            f"<div class='glass-outcome' role='status'><p>{html.escape(_(experiment.what))}</p>"
            f"<div class='sides'>{'<span aria-hidden=true>→</span>'.join(sides)}</div></div>"
        )


def still(experiment: Experiment, now: Any) -> bool:
    """Whether what is shown is what the experiment led to, whatever is selected in it."""
    cls, then = type(now), experiment.params(experiment.after)
    given = {name for name, value in experiment.after.items() if value is not None}
    names = [
        field.name
        for field in dataclasses.fields(cls)
        if field.name in given and declared(cls, field.name).lives == "server"
    ]
    return all(
        getattr(now, name) == experiment.beside(name, getattr(now, name), getattr(then, name))
        for name in names
    )
