"""What a page says besides its figures: mistakes, waiting, what was cut, what was changed."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from typing import Literal

import streamlit as st

from core import zoo
from core.errors import CoreError, as_said
from core.figures.payload import Payload
from core.figures.text import harmless
from core.language import N_, _, name_of
from core.models.abilities import ABILITIES
from core.runs.requests import Request
from core.shelf import english_only
from core.text.tongue import not_english, tongue
from core.typed import changed
from core.views.params import OnText
from pages.parts import sentence, state
from pages.parts.components import mount
from pages.parts.runs import device, shared_runs


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


def say_what_is_shown() -> None:
    """That the last run is still shown, while there is no text."""
    if not state.read(OnText).text.strip():
        say(
            "info",
            _("Type a word or two above. The last run is still shown."),
            icon=":material/edit:",
        )


OTHER = "other"  # a language that is none of ours
# By the language that a model reads, and that of the text.
ANOTHER = {
    ("fr", "en"): N_("{model} has learned to read French, and your text looks English: what it "
                     "writes of it means little. Type a French sentence above, or take ours."),
    ("en", "fr"): N_("{model} has learned to read English, and your text looks French: what it "
                     "writes of it means little. Type an English sentence above, or take ours."),
    ("fr", OTHER): N_("{model} has learned to read French, and your text looks like another "
                      "language: what it writes of it means little. Type a French sentence above, "
                      "or take ours."),
}  # fmt: skip


def say_which_language(model: str) -> None:
    """That a model reads another language than that of the text, where it can make nothing of it.

    Args:
        model: that the page runs; of what it reads its ability's example is one.
    """
    blueprint = zoo.blueprint(model)
    asked = ABILITIES[blueprint.head.ability] if blueprint.predicts_words else None
    if asked is None or not asked.only:
        if state.chosen(sentence.TEXT) and not state.chosen(sentence.HERS):  # it is hers
            say_english_only(model, state.read(OnText).text)
        return
    own = state.read(OnText).text
    written = tongue(own) or (OTHER if not_english(own) else "")
    said = ANOTHER.get((tongue(asked.example), written))
    if said is None:
        return
    words, example = st.columns([5, 2], vertical_alignment="center")
    with words:
        say("info", _(said).format(model=name_of(model)), icon=":material/translate:")
    with example:
        sets = {sentence.TEXT: asked.example, "target": None}
        button = {"label": _("Take our sentence"), "sets": sets, "on": False}
        mount("presets", Payload({"buttons": [button], "label": ""}), key="presets-take-example")


def say_english_only(model: str, text: str) -> None:
    """That a model has read English only, while her own text is clearly in another language.

    Args:
        model: that runs it.
        text: hers.
    """
    if said := english_only(model, text):
        say("info", said, icon=":material/translate:")


def loading(name: str) -> str:
    """What is waited for while a model loads."""
    megabytes = zoo.describe(name)["bytes"] / 1e6 if name in zoo.shelf() else 0.0
    return _("Loading {model}, {n} MB").format(model=name_of(name), n=f"{megabytes:.0f}")


def wait_for_models(request: Request) -> None:
    """Load the models that a request's result has to be made with, and say so: it takes a while.

    Raises:
        CoreError: one cannot be loaded.
    """
    runs = shared_runs()
    for name in () if runs.ready(request, device()) else request.models:
        if isinstance(name, str) and not runs.has_model(name, device()):
            with st.spinner(harmless(loading(name))):
                runs.model(name, device())


def changes(model: str, texts: Sequence[str], known: Collection[str] = ()) -> str:
    """What a model's tokenizer changes in texts before it cuts them, as HTML; empty if nothing.

    Args:
        model: that reads them.
        texts: of a page.
        known: kinds of changes that are said elsewhere.
    """
    said = changed(shared_runs(), model, texts, device(), known)
    return "" if said is None else f"<p class='glass-read'>{html.escape(str(said))}</p>"
