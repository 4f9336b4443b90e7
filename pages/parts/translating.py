"""What happens while a sentence is translated: parts of a page, each about one machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from core import views
from core.figures.text import harmless
from core.language import _, name_of
from core.views.attention.head import AtHead
from core.views.translate.alignment import Aligning
from core.views.translate.forcing import Forcing
from core.views.translate.second import Again
from core.views.translate.walk import Searching, walked
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes, show_steps
from pages.parts.messages import say
from pages.parts.page import params_of, source, source_of
from pages.parts.runs import can
from pages.parts.translators import across, reference

BEAM = "core/decoding/beam.py"


def steps() -> None:
    """p(next | source, so far), one step after the other."""
    params = across(params_of(AtHead))
    st.markdown("## " + _("Step by step: p(next | source, so far)"))
    st.markdown(
        _("The probability of a translation is a product. Each step gives one factor: the "
          "probability of the next token, given the whole source and the target so far. Logarithms "
          "turn the product into a sum.")
    )  # fmt: skip
    record = record_of("translate.chain", params)
    show_steps("translate.chain", record, key="chain-steps")
    so_far, following = st.columns([3, 2], gap="large")
    with so_far:
        show("translate.chain", params, record=record)
    with following:
        show("translate.next", params, key="chain-next", record=record, save=False)


def forcing() -> None:
    """What the decoder reads in training, and what it reads when it is left to itself."""
    params = params_of(Forcing)
    st.markdown("## " + _("Teacher forcing and free running"))
    st.markdown(
        _("In training the decoder reads the reference, shifted right by one place, whatever it "
          "would have written itself. So all positions are trained in one run. When it translates, "
          "there is no reference: each token that it writes is read by the next step.")
    )  # fmt: skip
    reference(params)
    shown = record_of("translate.taught", params)
    show("translate.taught", params, record=shown)
    show("translate.free", params, record=shown)
    show("translate.losses", params, record=shown)


def alignment() -> None:
    """Which row of the attention says where a word comes from."""
    params = params_of(Aligning, follow=("token",))
    st.markdown("## " + _("Word alignment: read the row before"))
    if not can(params.model, views.get("translate.alignment").needs):
        text = _("Nothing in {model} attends to the source, so there is no alignment to read.")
        say("info", text.format(model=name_of(params.model)), icon=":material/grid_off:")
        return
    st.markdown(
        _("A step reads a token and writes the next one. So the attention that helps to write a "
          "word stands in the row before it, where that word is not read yet. The word's own row "
          "belongs to the step that writes the word after it. The third sheet is a check without "
          "attention weights: hide one token of the source from the decoder, and measure what each "
          "written token loses.")
    )  # fmt: skip
    record = record_of("translate.alignment", params)
    figure, words = st.columns([3, 2], gap="large")
    with figure:
        show("translate.alignment", params, record=record)
        source(f"{record.prefix}.weights", params.model)
    with words:
        if record.n_layers > 1:
            own = replace(params, cross_layer=record.layer)
            controls.choice("cross_layer", own, range(record.n_layers))
        chosen = record_of("translate.alignment", params, selected=True)
        reading("translate.alignment", chosen)


def search() -> None:
    """A search for a translation as a tree that can be walked by hand."""
    params = params_of(Searching)
    st.markdown("## " + _("Which translation? A tree of choices"))
    st.markdown(
        _("After each token the model offers its whole vocabulary. Greedy decoding takes the best "
          "token, sampling draws one, and beam search keeps the best few beginnings. What a search "
          "considered and pruned is grey. Click any token to see what could have followed it.")
    )  # fmt: skip
    settings(params)
    record = record_of("translate.tree", params)
    show("translate.tree", params, record=record, on={"walk": walk}, more={"opens": True})
    reading("translate.tree", record)
    show_notes("translate.tree", record, "info")
    if params.walk:
        controls.button(_("Close all opened paths"), "close-ways", close)
    source_of(BEAM, "sums = before[:, None]")


def settings(params: Searching) -> None:
    """How it is searched, and how much of the tree is shown."""
    method, first, second, shown, length = st.columns([5, 2, 2, 2, 2], vertical_alignment="bottom")
    with method:
        controls.choice("method", params)
    with first:
        if params.method == "beam":
            controls.number("beams", params)
        elif params.method == "sample":
            controls.decimal("temperature", params, step=0.1)
    with second:
        if params.method == "beam":
            controls.decimal("alpha", params, step=0.2)
        elif params.method == "sample":
            controls.number("seed", params)
    with shown:
        controls.number("candidates", params)
    with length:
        controls.number("length", params)


def walk(node: Any) -> None:
    """Open or close what follows a token that was clicked."""
    if isinstance(node, str):
        state.update({"walk": walked(state.read(Searching).walk, node) or None})


def close() -> None:
    """Close all that was opened by hand."""
    state.update({"walk": None})


def second_target() -> None:
    """What the encoder computed for one target is kept for the next."""
    params = params_of(Again)
    st.markdown("## " + _("Read once: a second target of the same source"))
    st.markdown(
        _("The encoder does not know the decoder. Its output, and the keys and values that the "
          "decoder makes of it, depend on the source alone. For another target they are taken as "
          "they are: with M source tokens, N target tokens and vectors of width k, attention "
          "costs O(MNk + N²k) and not O(M²k + MNk + N²k).")
    )  # fmt: skip
    controls.line("again", params, placeholder=harmless(params.second))
    record = show("translate.second", params)
    reading("translate.second", record)
    if record is not None:
        show_notes("translate.second", record, "more")
