"""What a page says besides its figures: mistakes, waiting, what was cut, what was changed."""

from __future__ import annotations

import html
from typing import Literal

import streamlit as st

from core import zoo
from core.errors import CoreError, as_said
from core.figures.payload import Payload
from core.figures.text import harmless
from core.language import _, name_of
from core.models.abilities import ABILITIES
from core.shelf.abilities import english_only
from core.text.tongue import tongue
from core.views.params import OnText
from core.views.weak import another_language
from pages.parts import sentence, state
from pages.parts.components import mount


def say(kind: Literal["error", "info", "warning"], words: str, icon: str | None = None) -> None:
    """A notice in plain words: what a link brings into them is neither a link nor HTML."""
    getattr(st, kind)(harmless(words), icon=icon)


def show_error(problem: CoreError) -> None:
    """A user's mistake: what happened and what to do. What was typed is kept."""
    say("error", as_said(problem), icon=":material/error:")


def unread_picture(model: str) -> str:
    """What is said of a link whose picture no model reads, or not this one."""
    return _("{model} cannot read the picture in this link, so a sample is shown. Copy the "
             "whole link and try again, or draw a digit.").format(model=name_of(model))  # fmt: skip


def small_print(words: str) -> None:
    """A line that is read second."""
    st.html(f"<p class='glass-what'>{html.escape(words)}</p>")


def explain(words: str) -> None:
    """What figures show or leave out, in Markdown; who lectures says it herself."""
    if not state.lecture():
        st.markdown(words)


def say_what_is_shown() -> None:
    """That the last run is still shown, while there is no text."""
    if not state.read(OnText).text.strip():
        say(
            "info",
            _("Type a word or two above. The last run is still shown."),
            icon=":material/edit:",
        )


def say_which_language(model: str) -> None:
    """That a model reads another language than that of the text, where it can make nothing of it.

    Args:
        model: that the page runs; of what it reads its ability's example is one.
    """
    blueprint = zoo.blueprint(model)
    ability = ABILITIES[blueprint.head.ability] if blueprint.predicts_words else None
    if ability is None or not ability.only:
        if state.chosen(sentence.TEXT) and not state.chosen(sentence.HERS):  # it is hers
            english = english_only(model, state.read(OnText).text)
            if english:
                say("info", english, icon=":material/translate:")
        return
    text = another_language(name_of(model), tongue(ability.example), state.read(OnText).text)
    if not text:
        return
    words, example = st.columns([5, 2], vertical_alignment="center")
    with words:
        say("info", text, icon=":material/translate:")
    with example:
        sets = {sentence.TEXT: ability.example, "target": None}
        button = {"label": _("Take our sentence"), "sets": sets, "on": False}
        mount("presets", Payload({"buttons": [button], "label": ""}), key="presets-take-example")
