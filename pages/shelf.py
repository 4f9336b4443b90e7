"""The shelf: the models that run here, and what is known of each."""

import re

import streamlit as st

from core import zoo
from core.device import available_devices
from core.errors import CoreError
from core.language import N_, _, name_of
from core.locale import in_short, listed
from pages.parts.fragments import part
from pages.parts.machines import character, sizes
from pages.parts.messages import show_error
from pages.parts.page import heading
from pages.parts.runs import device, shared_runs

CONTEXT = {"tokens": N_("{n} tokens"), "characters": N_("{n} characters"), "words": N_("{n} words")}


def shelf() -> None:
    """Every model, with its card."""
    heading(
        _("Which models run here?"),
        _("{n} models on the shelf · devices of this machine: {devices}").format(
            n=len(zoo.shelf()), devices=listed(d.upper() for d in available_devices())
        ),
        claim=_(
            "These models were trained from scratch for this app, on texts that are free to use. "
            "They are small, so that every number can be shown; their cards say how good they "
            "are and where they fail."
        ),
        terms=("parameter", "layer", "head", "induction"),
    )
    for name in zoo.shelf():
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
            with st.expander(_("The card: data, licence, figures, failures")):
                # Its headings stand below the page's own.
                card = re.sub(r"(?m)^(#{1,4}) ", r"##\1 ", model.card)
                st.markdown(card or _("This model has no card."))


part("shelf", shelf)
