"""The shelf: the models that run here, and what is known of each."""

import re

import streamlit as st

from core import zoo
from core.answers.names import PageNames
from core.device import available_devices
from core.errors import CoreError
from core.language import N_, _, name_of
from core.locale import grouped, in_short, listed, spelt
from core.shelf.cards import said as said_card
from core.shelf.machines import character, sizes
from pages.parts import state
from pages.parts.messages import show_error
from pages.parts.page import heading
from pages.parts.runs import device, shared_runs

CONTEXT = {"tokens": N_("{n} tokens"), "characters": N_("{n} characters"), "words": N_("{n} words")}
# A run in the second table of a card: how many tokens it read, in how many minutes.
RUN = re.compile(r"(?m)^\| \d+ \| ([\d.]+) M \| (\d+) \|")


def read_in_all(name: str, card: str) -> str:
    """What a card says first, in a sentence; empty where it counts no tokens."""
    runs = RUN.findall(card)
    if not runs:
        return ""
    text = _("{name} learned from {n} million tokens, in {minutes} minutes of computing. Its card "
             "lists the texts with their licences, then how good the model is and where it "
             "fails.")  # fmt: skip
    n, minutes = sum(float(n) for n, _minutes in runs), sum(int(m) for _n, m in runs)
    return text.format(name=name_of(name), n=spelt(f"{n:,.1f}"), minutes=grouped(minutes))


def card(name: str, text: str, *, opened: bool) -> None:
    """The card of a model, folded away: first a sentence, then all of it."""
    with st.expander(_("The card: data, licence, figures, failures"), expanded=opened):
        if sentence := read_in_all(name, text):
            st.markdown(sentence)
        # Its headings stand below the page's own.
        below = re.sub(r"(?m)^(#{1,4}) ", r"##\1 ", said_card(text))
        st.markdown(below or _("This model has no card."))


def shelf() -> None:
    """Every model, with its card; the one that was chosen stands first, its card open."""
    common = state.read(PageNames).model
    first = common if state.chosen("model") else ""
    heading(
        _("{n} models on the shelf · devices of this machine: {devices}").format(
            n=len(zoo.shelf()), devices=listed(d.upper() for d in available_devices())
        )
    )
    for name in sorted(zoo.shelf(), key=lambda name: name != first):
        with st.container(border=True):
            try:
                facts = zoo.describe(name)
                model = shared_runs().model(name, device())
            except CoreError as problem:
                show_error(problem)
                continue
            measures = [
                (_("Model"), name_of(name)),
                (_("Parameters"), in_short(model.n_parameters)),
                sizes(name),
                (_("File"), _("{n} MB").format(n=f"{facts['bytes'] / 1e6:.0f}")),
            ]
            if "n_ctx" in facts and model.blueprint.reads_text:
                units = model.blueprint.embeddings[0].units
                measures.insert(3, (_("Context"), _(CONTEXT[units]).format(n=facts["n_ctx"])))
            for column, (label, value) in zip(st.columns(len(measures)), measures, strict=True):
                column.metric(label, value)
            st.markdown(character(name))
            card(name, model.card, opened=name == first)


shelf()
