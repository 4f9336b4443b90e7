"""Translate: source and target, the next word, and who looks at whom across the two."""

from dataclasses import replace

import streamlit as st

from core.experiments import TRANSLATE
from core.language import _, name_of
from core.views.attention.head import AtHead
from core.views.attention.heads import AtHeads, OfAllHeads
from pages.parts import controls
from pages.parts.attention import which_attention
from pages.parts.figure import record_of, show
from pages.parts.fragments import later, part
from pages.parts.page import (
    definitions,
    heading,
    milliseconds,
    open_page,
    params_of,
    source,
    try_this,
)


def across(params: AtHead) -> AtHead:
    """The attention from target to source, unless another one was chosen."""
    if not params.attention:
        params = replace(params, attention="cross")
    return params


def stage() -> None:
    """Source, target, and who looks at whom."""
    params = across(open_page(AtHeads))
    translated = record_of("translate.target", params)
    trace = translated.run.trace
    heading(
        _("How does a sentence become one in another language?"),
        _("{model} · {n} source tokens · {m} target tokens · ran in {ms} ms")
        .format(model=name_of(params.model), n=len(translated.source.tokens),
                m=len(translated.target.tokens), ms=milliseconds(trace.seconds)),
        claim=_("The [[encoder]] reads the whole French sentence at once. The [[decoder]] writes "
                "the English one token at a time, and in every layer its [[cross-attention]] "
                "fetches what it needs from the French."),
        terms=("source", "target", "greedy", "softmax", "teacher-forcing"),
        reads=params,
    )  # fmt: skip
    show("translate.source", params, record=translated, save=False)
    show("translate.target", params, record=translated, save=False)
    controls.line(
        "target",
        params,
        placeholder=_("Empty: the model writes it, the most likely token each time"),
    )
    words, large = st.columns(2, gap="large")
    with words:
        show("translate.next", params, record=translated)
        source(trace.blueprint.head.site, params.model)
    with large:
        run = record_of("attention.weights", params)
        which_attention(run)
        show("attention.weights", params, record=run)
        source(f"{run.attention.prefix(run.layer)}.weights", params.model)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(TRANSLATE)


def all_heads() -> None:
    """Every head of the kind of attention that is chosen, and what the names mean."""
    params = across(params_of(OfAllHeads))
    grid = record_of("attention.heads", params)
    st.markdown("## " + _("All heads, for each kind of attention"))
    st.markdown(
        _("The encoder attends to the whole source. The decoder attends to itself, never "
          "ahead, and in every layer once more to the encoder's output: there, rows are "
          "target tokens and columns source tokens. All three are the same computation.")
    )  # fmt: skip
    show("attention.heads", params, record=grid)
    first = grid.run.attention.prefix(0)
    names = [f"{first}.{site}" for site in ("weights", "z", "out")]
    definitions(names, params, grid.run.trace.lengths)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("all-heads", all_heads)
