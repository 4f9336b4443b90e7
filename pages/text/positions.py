"""Embeddings and position: a row of a table for each token, and five ways to tell order."""

from dataclasses import replace

import streamlit as st

from core import zoo
from core.experiments import POSITIONS
from core.language import _, name_of
from core.views.embed.looked import AtComponent
from core.views.params import OnText
from core.views.positions.positional import WAYS, Positional
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show
from pages.parts.messages import cut_notice, read_notice, say
from pages.parts.page import (
    definitions,
    heading,
    milliseconds,
    model_here,
    open_page,
    params_of,
    source_of,
    try_this,
)
from pages.parts.runs import by_rank
from pages.parts.sections import PositionPart, Section, sections


def positional() -> Positional:
    """What is asked of positions, whatever the text is."""
    own = state.read(Positional, leave=("text", "target"))
    return replace(own, model=model_here(), text=Positional().text, target="")


def lookup() -> None:
    """The rows that the tokens read."""
    params = open_page(AtComponent)
    record = record_of("embed.lookup", params)
    n, width = record.total.shape
    heading(
        _("How do words and their order become numbers?"),
        _("{model} · {n} tokens, {d} components each · ran in {ms} ms · every number is from this "
          "run")
        .format(model=name_of(params.model), n=n, d=width, ms=milliseconds(record.trace.seconds)),
        claim=_("Each token reads one row of a learned table, its [[embedding]], wherever it "
                "stands, and without a mask attention does not see order. So a second vector that "
                "depends only on the position is added: the same word in two places becomes two "
                "different vectors."),
        terms=("component", "sinusoidal", "cosine", "rotary", "causal-mask"),
        reads=params,
    )  # fmt: skip
    show("embed.tokens", params, record=record, save=False)
    blueprint = record.trace.blueprint
    if len(blueprint.embeddings) > 1:
        own = replace(params, stream=record.embedding.stream)
        controls.part("stream", own, blueprint)
    show("embed.lookup", params, record=record)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(POSITIONS)


def waves() -> None:
    """The table of sines, and counting in binary."""
    order = positional()
    picture, binary = st.columns([3, 1], gap="large")
    with picture:
        size, length, split = st.columns([3, 3, 2], vertical_alignment="bottom")
        with size:
            controls.slider("d_model", order, step=2)
        with length:
            controls.slider("positions", order)
        with split:
            controls.switch("apart", order)
        reading("positions.sinusoidal", show("positions.sinusoidal", order))
    with binary:
        reading("positions.binary", show("positions.binary", order))
    source_of("core/nn/positions.py", "angles = ")


def one_pair() -> None:
    """One pair of components, how alike positions are, and the formula."""
    order = positional()
    curves, similar = st.columns(2, gap="large")
    with curves:
        controls.slider("pair", order, 0, max(1, order.width // 2 - 1))
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
            _("pos is the **position** of the token in the text. i counts **pairs** of sine "
              "and cosine, not components: component 2i is a sine, 2i + 1 a cosine. For "
              "position {pos} and pair {i} of d_model = {d} they are {sine} and {cosine}. "
              "Vaswani et al. 2017, section 3.5. (One lecture calls pos “the dimension of the "
              "word”: it is the position.)")
            .format(pos=sines.last, i=order.shown_pair, d=order.width, sine=sines.pair_of_last[0],
                    cosine=sines.pair_of_last[1])
        )  # fmt: skip


def with_learned_rows() -> Positional:
    """For a model that learned a table of positions: the chosen one, or another that has."""
    order = positional()
    for name in by_rank(order.model, OnText().model):
        if any(one.positions == "learned" for one in zoo.blueprint(name).embeddings):
            return replace(order, model=name)
    return order


def four_ways() -> None:
    """Every position against every other."""
    order = positional()
    learned = with_learned_rows()
    if learned.model != order.model:
        say(
            "info",
            _("{chosen} learned no position table: it adds the sinusoids above. The learned "
              "rows below are those of {able}.")
            .format(chosen=name_of(order.model), able=name_of(learned.model)),
            icon=":material/swap_horiz:",
        )  # fmt: skip
    st.markdown(
        _("Every query position against every key position: red where the two are alike "
          "(cosine 1), blue where they are opposite. For T5, a stronger colour means that the "
          "key is farther away; the two sides of the diagonal have buckets of their own. The "
          "dotted lines mark the end of the positions the model was trained on.")
    )  # fmt: skip
    for column, kind in zip(st.columns(len(WAYS)), WAYS, strict=True):
        with column:
            shown = show("positions.pairs", replace(learned, kind=kind), key=f"pairs-{kind}")
            reading("positions.pairs", shown)


def longer() -> None:
    """The learned table, and every way beyond its end."""
    table, distance = st.columns(2, gap="large")
    with table:
        reading("positions.learned", show("positions.learned", with_learned_rows()))
    with distance:
        reading("positions.beyond", show("positions.beyond", with_learned_rows()))


def reads(name: str, *, causal: bool) -> bool:
    """Whether blocks of a model read the text, and see only what stands before a token or all."""
    blueprint = zoo.blueprint(name)
    own = (stack for stack in blueprint.stacks if stack.stream == blueprint.streams[0])
    return blueprint.reads_text and any(stack.causal == causal for stack in own)


def shuffled(*, causal: bool) -> None:
    """One model with its tokens shuffled: the chosen one, or another that reads so.

    Args:
        causal: each token sees only those before it.
    """
    params, order = params_of(AtComponent), positional()
    models = by_rank(order.model, OnText().model)
    fitting = (name for name in models if reads(name, causal=causal))
    one = replace(order, text=params.text, model=next(fitting, order.model))
    moved = show("positions.shuffle", one, key="shuffle-causal" if causal else "shuffle-open")
    reading("positions.shuffle", moved)
    if moved is not None:
        cut_notice(moved.cut)
        if one.model != params.model:
            read_notice(one.model, [params.text])


def without_mask() -> None:
    """Why order is lost without positions, and the model that reads both ways."""
    st.markdown(
        _("Attention compares vectors, and the feed-forward network takes one vector at a "
          "time: neither depends on where a token stands. So without positions, shuffling the "
          "input shuffles the output and changes nothing else. But a causal mask lets each "
          "token see only the tokens before it, and that alone breaks the symmetry.")
    )  # fmt: skip
    seed, _rest = st.columns([1, 4])
    with seed:
        controls.number("shuffle_seed", positional())
    shuffled(causal=False)


def with_mask() -> None:
    """The model that reads from the left, and what the names mean."""
    shuffled(causal=True)
    params = params_of(AtComponent)
    record = record_of("embed.lookup", params)
    named = [name for name in record.trace if not name.endswith((".mean", ".var"))]
    definitions(named, params)


sections(
    PositionPart,
    [
        Section(_("One row per token, one row per position"), "lookup", lookup, headed=False,
                tries=experiments),
        Section(_("Order as a picture: sines from fast to slow"), "waves", waves),
        Section(_("One pair of waves, and how alike two positions are"), "pair", one_pair,
                headed=False),
        Section(_("Four ways to encode order, and what each does with a longer text"), "ways",
                four_ways),
        Section(_("The learned table, and what comes after its end"), "longer", longer,
                headed=False),
        Section(_("Does a model without positions see order?"), "open", without_mask),
        Section(_("And a model with a causal mask?"), "causal", with_mask, headed=False),
    ],
    folded=True,
)  # fmt: skip
