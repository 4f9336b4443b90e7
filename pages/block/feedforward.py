"""Feed-forward: which units fire on which tokens, what they write, and the curve between."""

import streamlit as st

from core.figures.feedforward import FORMULAS, NAMES, AtUnit
from core.language import _
from pages.parts import controls, state
from pages.parts.page import (
    Experiment,
    choose_model,
    definitions,
    heading,
    milliseconds,
    reading,
    record_of,
    show,
    text_or_last,
    try_this,
    with_values,
)

model = choose_model("any")
params = text_or_last(with_values(state.read(AtUnit), model=model))
record = record_of("ffn.units", params)

heading(
    _("What does each unit fire on?"),
    _("{model} · block {layer} · {n} units · unit {unit} on “{token}” · ran in {ms} ms").format(
        model=model.upper(), layer=record.layer, n=f"{record.n:,}", unit=record.unit,
        token=record.name(record.token), ms=milliseconds(record.trace.seconds),
    ),
    reads=params,
)  # fmt: skip
show("ffn.strip", params, record=record)

drawn, listed = st.columns([8, 5], vertical_alignment="bottom")
with drawn:
    functions = {name: _(label) for name, label in NAMES.items()}
    controls.choice(
        _("The function that is drawn"), "function", with_values(params, function=record.function),
        list(functions), functions.__getitem__,
    )  # fmt: skip
with listed:
    ranks = {"token": _("on this token"), "text": _("anywhere in the text")}
    controls.choice(_("Units that fire most"), "rank", params, list(ranks), ranks.__getitem__)

curve, units = st.columns([9, 17], gap="medium")
with curve:
    show("ffn.curve", params)
with units:
    show("ffn.units", params, record=record)

with st.container(key="below-stage"):
    try_this(
        [
            Experiment(
                _("Draw squared ReLU instead"),
                _("The same values before, another function: whatever is below 0 becomes exactly "
                  "0, and large values stand out more."),
                {"function": "relu_squared"},
            ),
            Experiment(
                _("Say the same word twice"),
                _("The network sees one position at a time. The two “bank” differ only by their "
                  "positions and by what attention brought to each: compare the units that fire "
                  "on them."),
                {"text": "The bank of the river was near the bank with the money",
                 "token": 2, "unit": None, "rank": "text"},
            ),
            Experiment(
                _("Go to the last block"),
                _("Between what a unit of GPT writes there and the output stands only the final "
                  "norm: read the words it adds most to, and see whether they fit what comes "
                  "next."),
                {"model": "gpt", "layer": 5, "unit": None, "rank": "token"},
            ),
        ]
    )  # fmt: skip
    st.markdown("## " + _("What the selected unit writes"))
    show("ffn.words", params, record=record)
    reading("ffn.words", record)
    st.markdown(
        _("The network is two tables and a bend between them: each unit compares the token's "
          "vector with its row of W₁, the bend keeps mostly what is positive, and the unit's "
          "column of W₂ is added to the stream that many times. Later blocks may still change "
          "what comes of it.")
    )  # fmt: skip
    with st.expander(_("The functions")):
        for name, label in functions.items():
            st.latex(r"\text{" + label + "}: " + FORMULAS[name])
        st.markdown(
            _("A gated network multiplies by a second linear map g of the same vector (Shazeer "
              "2020); the shipped models have none, so the curve is drawn for four values of g. "
              "Squared ReLU is Primer's find (So et al. 2021).")
        )  # fmt: skip
        reading("ffn.curve", record)
    definitions(
        [f"blocks.0.{name}" for name in ("ln_2.out", "ffn.pre", "ffn.post", "ffn.out")], params
    )
