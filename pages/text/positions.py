"""Embeddings and position: a row of a table for each token, and five ways to tell order."""

from fnmatch import fnmatch

import streamlit as st

from core import zoo
from core.language import _, name_of
from core.models.blueprint import Blueprint
from core.shelf.abilities import first_that
from core.views.embed import AtComponent
from core.views.positions.sinusoidal import WAYS
from pages.parts.messages import say
from pages.parts.page import heading, model_here, open_page, pair
from pages.parts.runs import device, shared_runs
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.sections import Section, sections


def lookup() -> None:
    """The rows that the tokens read."""
    open_page(AtComponent)
    heading()
    figure("embed.tokens", says=("changes",), save=False, height=90)
    figure("embed.lookup", controls=("stream",), says=("facts",), height=480)


def waves() -> None:
    """The table of sines, and counting in binary."""
    picture, binary = st.columns([3, 1], gap="large")
    with picture:
        figure(
            "positions.sinusoidal", controls=(Field("d_model", step=2), "positions", "apart"),
            says=("reading", "source"), height=560,
        )  # fmt: skip
    with binary:
        figure("positions.binary", says=("reading",), height=480)


def one_pair() -> None:
    """One pair of components, how alike positions are, and the formula."""
    curves, similar = st.columns(2, gap="large")
    with curves:
        figure(
            "positions.curves", controls=("pair",), says=("reading",), height=480,
        )  # fmt: skip
    with similar:
        figure("positions.similarity", says=("reading",), height=420)
    with st.expander(_("The formula")):
        st.latex(
            r"PE_{(pos,\,2i)} = \sin\frac{pos}{10000^{2i/d_{model}}} \qquad "
            r"PE_{(pos,\,2i+1)} = \cos\frac{pos}{10000^{2i/d_{model}}}"
        )
        st.markdown(
            _("pos is the **position** of the token in the text. i counts **pairs** of sine "
              "and cosine, not components: component 2i is a sine, 2i + 1 a cosine. "
              "Vaswani et al. 2017, section 3.5. (One lecture calls pos “the dimension of the "
              "word”: it is the position.)")
        )  # fmt: skip
        prose("positions.curves", notes=("more",))


def learned() -> str:
    """A model that learned a table of positions: the page's, or another that has."""
    model = model_here()
    return (
        first_that(
            lambda blueprint: "learned" in {e.positions for e in blueprint.embeddings}, model
        )
        or model
    )


def four_ways() -> None:
    """Every position against every other."""
    model, able = model_here(), learned()
    if able != model:
        say(
            "info",
            _("{chosen} learned no position table: it adds the sinusoids above. The learned "
              "rows below are those of {able}.")
            .format(chosen=name_of(model), able=name_of(able)),
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
            figure(
                "positions.pairs", says=("reading",), height=300,
                fixed={"kind": kind, "model": able},
            )  # fmt: skip


def longer() -> None:
    """The learned table, and every way beyond its end."""
    fixed = {"model": learned()}
    both = ("positions.learned", "positions.beyond")
    for column, view in zip(pair(), both, strict=True):
        with column:
            figure(view, says=("reading",), height=400, fixed=fixed)


def reader(*, causal: bool) -> str:
    """A model that reads a text so: the page's, or another one.

    Args:
        causal: each token sees only those before it.
    """

    def reads(blueprint: Blueprint) -> bool:
        stacks = (stack for stack in blueprint.stacks if stack.stream == blueprint.streams[0])
        return blueprint.reads_text and any(stack.causal == causal for stack in stacks)

    return first_that(reads, model_here()) or model_here()


def shuffled(*, causal: bool) -> None:
    """The tokens in another order."""
    model = reader(causal=causal)
    # What the page's own model changes in the text is said above.
    notes = ("changes",) if model != model_here() else ()
    figure(
        "positions.shuffle", says=("reading", "cut", *notes), height=200, fixed={"model": model},
    )  # fmt: skip


def without_mask() -> None:
    """Why order is lost without positions, and the model that reads both ways."""
    st.markdown(
        _("Attention compares vectors, and the feed-forward network takes one vector at a "
          "time: neither depends on where a token stands. So without positions, shuffling the "
          "input shuffles the output and changes nothing else. But a causal mask lets each "
          "token see only the tokens before it, and that alone breaks the symmetry.")
    )  # fmt: skip
    seed = Field("shuffle_seed", "number")
    prose("positions.shuffle", controls=(seed,), fixed={"model": reader(causal=False)})
    shuffled(causal=False)


def names() -> None:
    """What the names on the page mean."""
    model = model_here()
    patterns = zoo.blueprint(model).sites("@embeddings")
    catalogue = shared_runs().model(model, device()).catalogue
    named = [name for name in catalogue if any(fnmatch(name, pattern) for pattern in patterns)]
    shown = [name for name in named if not name.endswith((".mean", ".var"))]
    definitions("embed.lookup", shown, model)


sections(
    [
        Section(_("One row per token, one row per position"), "lookup", lookup, headed=False,
                tries=("positions",)),
        Section(_("Order as a picture: sines from fast to slow"), "waves", waves),
        Section(_("One pair of waves, and how alike two positions are"), "pair", one_pair,
                headed=False),
        Section(_("Four ways to encode order, and what each does with a longer text"), "ways",
                four_ways),
        Section(_("The learned table, and what comes after its end"), "longer", longer,
                headed=False),
        Section(_("Does a model without positions see order?"), "open", without_mask),
        Section(_("And a model with a causal mask?"), "causal",
                lambda: shuffled(causal=True), headed=False),
    ],
    folded=True,
    names=names,
)  # fmt: skip
