"""All heads: every layer and head at a glance, one of them large, as a matrix and as lines."""

import streamlit as st

from core.experiments import HEADS
from core.language import _, name_of
from core.views.attention.head import AtHead, HeadRun
from core.views.attention.heads import AtHeads, OfAllHeads
from pages.parts import controls
from pages.parts.attention import which_attention
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import later, part
from pages.parts.messages import say
from pages.parts.page import (
    definitions,
    heading,
    n_tokens,
    open_page,
    params_of,
    ran_in,
    source,
    try_this,
)


def sizes_of(run: HeadRun) -> str:
    """How many layers and heads its kind of attention has; nothing where there is one map."""
    layers, heads = run.attention.n_layers, run.attention.n_heads
    if heads is None:
        return _("{layers} layers").format(layers=layers) if layers > 1 else ""
    return _("{layers} layers × {heads} heads").format(layers=layers, heads=heads)


def top() -> None:
    """The text, as the selected head looks at it."""
    params = open_page(AtHead)
    run = record_of("attention.row", params)
    heading(
        _("What do the heads specialise in?"),
        (
            name_of(params.model), sizes_of(run), n_tokens(len(run.queries)),
            ran_in(run.trace.seconds), _("every number is from this run"),
        ),
        claim=_("One [[softmax]] spreads one query's attention in one way, so each layer has "
                "several [[heads]] side by side, each with its own. Some attend to the previous "
                "token, some to the first; on a text with repetition, some attend to what "
                "followed the first time."),
        terms=("entropy", "induction", "residual-stream", "causal-mask"),
        reads=params,
    )  # fmt: skip
    show("attention.row", params, record=run, save=False)


def best() -> None:
    """Which heads do something that has a name."""
    params = params_of(OfAllHeads, follow=("score",))
    reading("attention.heads", record_of("attention.heads", params, selected=True))


def overview() -> None:
    """All heads, small."""
    params = params_of(OfAllHeads)
    grid = record_of("attention.heads", params)
    which_attention(grid.run)
    show("attention.heads", params, record=grid)


def large() -> None:
    """The selected head."""
    params = params_of(AtHeads)
    run = record_of("attention.weights", params)
    controls.choice("drawn", params, label_visibility="collapsed")
    if params.drawn == "matrix":
        show("attention.weights", params, record=run)
    else:
        show("attention.lines", params)
    source(f"{run.attention.prefix(run.layer)}.weights", params.model)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(HEADS)


def further() -> None:
    """What a weight does not say, and what the names mean."""
    params = params_of(OfAllHeads)
    run = record_of("attention.heads", params).run
    n_heads, d_head = run.n_heads, run("q").shape[1]
    say(
        "info",
        _("A large weight says where a value is taken from. It does not say how much that "
          "value matters for the answer: a head can attend to a token and add almost nothing."),
        icon=":material/visibility:",
    )  # fmt: skip
    st.markdown(
        _("Each token's q, k and v have {d} components, cut into {h} heads of {dh} each: B × "
          "T × D → B × H × T × D/H, for B texts at once. The outputs of the heads are put "
          "side by side again, {h} · {dh} = {d} components, and W_O mixes them.")
        .format(d=n_heads * d_head, h=n_heads, dh=d_head)
    )  # fmt: skip
    prefix = run.attention.prefix(0)
    definitions([f"{prefix}.{site}" for site in ("weights", "z", "out")], params, run.trace.lengths)


part("top", top)
left, right = st.columns([1, 1], gap="large")
with left:
    part("overview", overview)
    part("best", best)
with right:
    part("large", large)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("further", further)
