"""All heads: every layer and head at a glance, one of them large, as a matrix and as lines."""

import streamlit as st

from core.figures import view
from core.figures.attention import AtHeads
from core.language import _
from pages.parts import controls, state
from pages.parts.page import (
    Experiment,
    choose_model,
    definitions,
    heading,
    milliseconds,
    record_of,
    show,
    source,
    text_or_last,
    try_this,
    with_values,
)

model = choose_model("any")
params = text_or_last(with_values(state.read(AtHeads), model=model))
grid = record_of("attention.heads", params)
run = grid.run

heading(
    _("What do the heads specialise in?"),
    _("{model} · {layers} layers × {heads} heads · {n} tokens · ran in {ms} ms · every number is "
      "from this run")
    .format(model=model.upper(), layers=run.trace.topology.n_layers,
            heads=run.trace.topology.n_heads, n=len(run.trace.tokens),
            ms=milliseconds(run.trace.seconds)),
    reads=params,
)  # fmt: skip
show("attention.row", params, record=run, export=False)
st.markdown(str(view.get("attention.heads").describe(grid)))

overview, large = st.columns([1, 1], gap="large")
with overview:
    show("attention.heads", params, record=grid)
with large:
    ways = {"matrix": _("Matrix"), "lines": _("Lines")}
    controls.choice(
        _("Drawn as"), "drawn", params, list(ways), ways.__getitem__, label_visibility="collapsed"
    )
    if params.drawn == "matrix":
        show("attention.weights", params, record=run)
    else:
        show("attention.lines", params, record=run)
source(f"blocks.{run.layer}.attn.weights")

with st.container(key="below-stage"):
    try_this(
        [
            Experiment(
                _("Say something twice"),
                _("Look for a head whose map shows a second diagonal: it looks at what came after "
                  "the same word last time."),
                {"text": "Mira packed the red lantern. Tom packed the red lantern. Mira packed",
                 "token": None, "key": None},
            ),
            Experiment(
                _("Give it nonsense"),
                _("Without meaning to hold on to, more heads rest on the first token."),
                {"text": "blue of the ran seven under quick or stone was", "token": None,
                 "key": None},
            ),
            Experiment(
                _("Ask the other model"),
                _("BERT has no causal mask: its maps fill the whole square, and heads look "
                  "forward too.") if model == "gpt"
                else _("GPT has a causal mask: its maps are triangles, as no head may look "
                       "forward."),
                {"model": "bert" if model == "gpt" else "gpt", "token": None, "key": None},
            ),
        ]
    )  # fmt: skip
    st.info(
        _("A large weight says where a value is taken from, not how much it matters for the "
          "answer: a head can look at a token and write almost nothing."),
        icon=":material/visibility:",
    )  # fmt: skip
    n_heads, _n, d_head = run.trace["blocks.0.attn.z"].shape
    st.markdown(
        _("Each token's q, k and v have {d} components, cut into {h} heads of {dh} each: B × T × D "
          "→ B × H × T × D/H, for B texts at once. The heads' outputs are put side by side again, "
          "{h} · {dh} = {d} components, and W_O mixes them.")
        .format(d=n_heads * d_head, h=n_heads, dh=d_head)
    )  # fmt: skip
    definitions(["blocks.0.attn.weights", "blocks.0.attn.z", "blocks.0.attn.out"], params)
