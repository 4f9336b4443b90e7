"""Embeddings and position: a row of a table for each token, and five ways to tell order."""

import streamlit as st

from core.figures.embeddings import AtComponent
from core.figures.positions import Positional
from core.language import _
from pages.parts import controls, state
from pages.parts.page import (
    Experiment,
    choose_model,
    cut_notice,
    definitions,
    heading,
    milliseconds,
    read_notice,
    reading,
    record_of,
    show,
    source_of,
    text_or_last,
    try_this,
    with_values,
)
from pages.parts.runs import model_for
from pages.parts.sections import PositionPart, Section, sections

params = text_or_last(with_values(state.read(AtComponent), model=choose_model("any")))
# Only the shuffle reads the text; the other figures stay as they are while it is typed.
order = with_values(state.read(Positional), model=params.model, text=Positional().text)
record = record_of("embed.lookup", params)
n, width = record.total.shape

heading(
    _("How do words and their order become numbers?"),
    _("{model} · {n} tokens, {d} components each · ran in {ms} ms · every number is from this run")
    .format(model=params.model.upper(), n=n, d=width, ms=milliseconds(record.trace.seconds)),
    reads=params,
)  # fmt: skip


def lookup() -> None:
    """The rows that the tokens read."""
    show("embed.tokens", params, record=record, export=False)
    show("embed.lookup", params, record=record)

    with st.container(key="below-stage"):
        try_this(
            [
                Experiment(
                    _("Say a word twice"),
                    _("Both “dog” read the same row of the token table. Look at the sum: their "
                      "places make the two vectors differ."),
                    {"text": "The dog saw another dog", "token": 5, "table": 0},
                ),
                Experiment(
                    _("Shrink the table to 4 components"),
                    _("Two pairs of sine and cosine are left. Watch the inner product below: it "
                      "comes back up, and far positions look like near ones."),
                    {"d_model": 4, "positions": 50, "pair": 0},
                    shows="positions.similarity",
                ),
                Experiment(
                    _("Ask for 600 positions"),
                    _("The sinusoidal table goes on for as long as you like, though to a model "
                      "trained on fewer positions the further rows are new. The learned one, "
                      "below it, has no more rows than the model was trained with."),
                    {"positions": 600, "d_model": 512},
                    shows="positions.sinusoidal",
                ),
            ]
        )  # fmt: skip


def waves() -> None:
    """The table of sines, and counting in binary."""
    picture, binary = st.columns([3, 1], gap="large")
    with picture:
        size, length, split = st.columns([3, 3, 2], vertical_alignment="bottom")
        with size:
            controls.slider("d_model", "d_model", order, step=2)
        with length:
            controls.slider(_("Positions"), "positions", order)
        with split:
            controls.switch(_("Sines and cosines apart"), "apart", order)
        sines = show("positions.sinusoidal", order)
        if sines is not None:
            reading("positions.sinusoidal", sines)
    with binary:
        counted = show("positions.binary", order)
        if counted is not None:
            reading("positions.binary", counted)
    source_of("core/nn/positions.py", "angles = ")


def one_pair() -> None:
    """One pair of components, how alike positions are, and the formula."""
    curves, similar = st.columns(2, gap="large")
    with curves:
        controls.slider(_("Pair i"), "pair", order, 0, max(1, order.width // 2 - 1), 1)
        reading("positions.curves", show("positions.curves", order))
    with similar:
        reading("positions.similarity", show("positions.similarity", order))
    sines = record_of("positions.sinusoidal", order)
    with st.expander(_("The formula")):
        st.latex(
            r"PE_{(pos,\,2i)} = \sin\frac{pos}{10000^{2i/d_{model}}} \qquad "
            r"PE_{(pos,\,2i+1)} = \cos\frac{pos}{10000^{2i/d_{model}}}"
        )
        st.markdown(
            _("pos is the **position** of the token in the text, and i counts the **pairs** of "
              "sine and cosine, not the components: component 2i is a sine, 2i + 1 a cosine. For "
              "position {pos} and pair {i} of d_model = {d} that is {sine} and {cosine}. Vaswani "
              "et al. 2017, section 3.5. (One lecture calls pos “the dimension of the word”: it "
              "is the position.)")
            .format(pos=sines.last, i=order.shown_pair, d=order.width, sine=sines.pair_of_last[0],
                    cosine=sines.pair_of_last[1])
        )  # fmt: skip


def four_ways() -> None:
    """Every position against every other."""
    st.markdown(
        _("Every query position against every key position: red where the two are alike (cosine "
          "1), blue where they are opposite. For T5, the stronger the colour, the farther away "
          "the key; the two sides of the diagonal have buckets of their own. The dotted lines "
          "stand where the model's training ended.")
    )  # fmt: skip
    for column, kind in zip(st.columns(4), ("learned", "sinusoidal", "rotary", "t5"), strict=True):
        with column:
            shown = show("positions.pairs", with_values(order, kind=kind), key=f"pairs-{kind}")
            reading("positions.pairs", shown)


def longer() -> None:
    """The learned table, and every way beyond its end."""
    table, distance = st.columns(2, gap="large")
    with table:
        reading("positions.learned", show("positions.learned", order))
    with distance:
        reading("positions.beyond", show("positions.beyond", order))


def shuffled(needs: str) -> None:
    """One model with its tokens shuffled.

    Args:
        needs: the ability that the model has.
    """
    one = with_values(order, text=params.text, model=model_for(order.model, needs))
    moved = show("positions.shuffle", one, key=f"shuffle-{needs}")
    reading("positions.shuffle", moved)
    if moved is not None:
        cut_notice(moved.cut)
        if one.model != params.model:
            read_notice(one.model, [params.text])


def without_mask() -> None:
    """Why order is lost without positions, and the model that reads both ways."""
    st.markdown(
        _("Attention compares vectors, and the feed-forward network takes one at a time: neither "
          "asks where a token stands. So without positions, shuffling the input must shuffle the "
          "output and change nothing else. A causal mask, though, lets each token see only those "
          "before it, and that alone breaks the symmetry.")
    )  # fmt: skip
    seed, _rest = st.columns([1, 4])
    with seed:
        controls.number(_("Shuffle number"), "shuffle_seed", order)
    shuffled("masked")


def with_mask() -> None:
    """The model that reads from the left, and what the names mean."""
    shuffled("causal")
    named = [name for name in record.trace if not name.endswith((".mean", ".var"))]
    definitions(named, params)


sections(
    PositionPart,
    [
        Section(_("A row for each token, a row for each place"), lookup, headed=False),
        Section(_("Order as a picture: sines from fast to slow"), waves),
        Section(_("One pair of waves, and how alike two positions are"), one_pair, headed=False),
        Section(_("Four ways to tell order, and what each does with a longer text"), four_ways),
        Section(_("The table that was learnt, and what comes after it"), longer, headed=False),
        Section(_("Does a model without positions see order?"), without_mask),
        Section(_("And a model with a causal mask?"), with_mask, headed=False),
    ],
)
