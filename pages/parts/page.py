"""The anatomy of a page: which model it runs, title, source line, experiments, what is folded."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import zoo
from core.answers.names import PageNames
from core.answers.titles import title_html
from core.language import _, name_of
from core.locale import listed
from core.models.needs import Needs
from core.shelf.abilities import lacks, model_for
from core.tracing.source import SourceLine, line_with
from core.views.given import given_to
from core.views.params import Problem, declared
from core.views.parts import lacking
from pages.parts import state
from pages.parts.messages import say, say_what_is_shown, say_which_language
from pages.parts.runs import shared_runs
from pages.parts.table import PageRow, row_at

P = TypeVar("P")
QUOTED = 60  # characters of a text that a card names


def open_page(params: type[P]) -> P:
    """The parameters of a page: as the link says, with a model that has what it needs.

    Args:
        params: with a text and a model.
    """
    say_which_model()
    say_what_is_shown()
    say_which_language(model_here())
    return params_of(params)


def params_of(params: type[P]) -> P:
    """The same for a further part of the page, where all has been said.

    Args:
        params: with a text and a model.
    """
    model = model_here()
    read = state.read(params)
    loaded = shared_runs().model(model)
    opened: Any = dataclasses.replace(read, model=model)  # type: ignore[type-var]
    state.note([*lacking(opened, loaded.blueprint), *unknown(opened)])
    return text_or_example(given_to(opened, model, loaded))  # type: ignore[no-any-return]


def unknown(params: Any) -> list[Problem]:
    """The models that are named beside the page's own and are not on the shelf."""
    fields = [field.name for field in dataclasses.fields(params) if field.name != "model"]
    models = {name: getattr(params, name) for name in fields if declared(params, name).model}
    choices = _("one of {choices}").format(choices=listed(zoo.shelf(), "or"))
    return [
        Problem(name, model, choices, "")
        for name, model in models.items()
        if model and model not in zoo.shelf()
    ]


def model_here() -> str:
    """The model this page runs: the chosen one, or one that has what the page needs."""
    return model_for(state.read(PageNames).model, row_here().needs)


def row_here() -> PageRow:
    """The row of this page."""
    return row_at(state.current_page().address)


def say_which_model() -> None:
    """A word about it where another model is shown than the chosen one."""
    chosen, able, needs = state.read(PageNames).model, model_here(), row_here().needs
    if able == chosen or chosen not in zoo.shelf() or not state.chosen("model"):
        return
    template = _("{chosen} cannot {ability}; this page shows {able}. Your choice is kept.")
    if needs.ability == "classify_text" and "fill_spans" in zoo.abilities(chosen):
        template = _("{chosen} has no head for labels: it writes them as words, as the page “Spans "
                     "and noise” shows. This page shows {able}. Your choice is kept.")  # fmt: skip
    shows_another(template, chosen, able, needs)


def shows_another(template: str, chosen: str, able: str, needs: Needs) -> None:
    """Say that another model is shown than the chosen one, and what that cannot do."""
    why = lacks(chosen, needs)
    assert why is not None
    say(
        "info",
        template.format(chosen=name_of(chosen), ability=_(why), able=name_of(able)),
        icon=":material/swap_horiz:",
    )


def text_or_example(params: P) -> P:
    """The parameters with a text in them: everybody's example where there is none."""
    opened: Any = params
    if opened.text.strip():
        return params
    return dataclasses.replace(opened, text=type(opened)().text)  # type: ignore[no-any-return]


def heading(what: str = "", *, claim: str = "") -> None:
    """The title, a question, its answer in two sentences, and behind "Details" what is second.

    That is what is selected, what it cost, further words, and below the figures the line of code.

    Args:
        what: is selected.
        claim: in place of the one in the page's row.
    """
    row = row_here()
    st.html(title_html(_(row.question), what, claim or _(row.claim), row.terms))


def source_of(path: str, code: str) -> None:
    """The line of a file that computed something no site stands for."""
    _source(line_with(path, code))


def _source(line: SourceLine) -> None:
    before = html.escape(_("computed by"))
    st.html(
        f"<p class='glass-source glass-detail'>{before} "
        f"<code>{html.escape(line.code)}</code> · {html.escape(line.path)}:{line.line}</p>"
    )


def pair(widths: tuple[int, int] = (1, 1)) -> Sequence[DeltaGenerator]:
    """Two places side by side; on a wall one under the other: a figure has a scene's size."""
    if state.lecture():
        return st.container(), st.container()
    return st.columns(widths, gap="large")


def lower_on_a_phone(name: str, place: Literal[1, 2, 3] = 1) -> Any:
    """A container that a phone shows below what stands beside or under it, by streamlit.css.

    So the figure begins on the first screen, and its controls end it.

    Args:
        name: of the container on the page.
        place: among those that are lower.
    """
    return st.container(key=f"phone-{place}-{name}")
