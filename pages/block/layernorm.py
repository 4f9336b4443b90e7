"""LayerNorm and residual: one vector step by step, the stream's size, the gradient."""

import streamlit as st

from core.figures import norms
from core.figures.norms import NORMS, OneVector
from core.figures.steps import stepper
from core.figures.stream import Depth, StreamAt
from core.language import _
from pages.parts import controls, state
from pages.parts.components import mount
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
    text_or_last,
    tried,
    try_this,
    with_values,
)
from pages.parts.runs import shared_runs

model = choose_model("any")
params = text_or_last(with_values(state.read(OneVector), model=model))
worked = params.source == "worked"
topology = shared_runs().model(model).model.topology

about = _("An example small enough to follow; any of its numbers can be changed")
if not worked:
    at = record_of("norm.steps", params)
    about = _("{model} · {norm} · “{token}” · ran in {ms} ms").format(
        model=model.upper(), norm=at.place, token=at.name, ms=milliseconds(at.trace.seconds)
    )
heading(_("What keeps the numbers in bounds?"), about, reads=params)
widths = [5, 5, 3, 3, 3] if worked else [5, 9, 5]
first, *rest = st.columns(widths, vertical_alignment="bottom")
sources = {"worked": _("a worked vector"), "text": _("a token of your text")}
with first:
    controls.choice(_("Normalise"), "source", params, list(sources), sources.__getitem__)
if worked:
    fields = {"vector": _("Vector x"), "gain": _("Gain a"), "shift": _("Shift b"), "eps": _("ε")}
    for column, (name, label) in zip(rest, fields.items(), strict=True):
        with column:
            controls.line(label, name, params)
else:
    with rest[0]:
        controls.choice(
            _("Which norm"), "norm", params, norms.available(topology), lambda n: _(NORMS[n])
        )

record = tried("norm.steps", params)
if record is not None:
    if not worked:
        show("norm.strip", params, record=record)
    steps = stepper(
        norms.N_STEPS,
        first=record.step,
        field="norm_step",
        titles=norms.titles(),
        texts=norms.texts(record),
        selection=record.selection(),
        pace=2200,
    )
    mount("stepper", steps, key="steps")
    show("norm.steps", params, record=record)

with st.container(key="below-stage"):
    try_this(
        [
            Experiment(
                _("Multiply everything by 1,000"),
                _("The mean and the spread grow by the same factor, so what comes out is the "
                  "same. A norm forgets how large its vector was."),
                {"source": "worked", "vector": "100000, 200000, 100000, 0", "norm_step": 4},
            ),
            Experiment(
                _("Make all components equal"),
                _("The variance is 0. Only ε keeps the division from being 0 / 0: set it to 0 "
                  "and look again."),
                {"source": "worked", "vector": "7, 7, 7, 7", "norm_step": 4},
            ),
            Experiment(
                _("Go up to the last block of GPT"),
                _("The stream has grown: compare the spread under each token with that in block "
                  "0. What leaves the division has variance 1 in both."),
                {"source": "text", "model": "gpt", "layer": 5, "norm": "ln_1", "norm_step": 4},
            ),
        ]
    )  # fmt: skip
    if record is not None:
        st.markdown("## " + _("RMSNorm beside it"))
        show("norm.rms", params, record=record)
        reading("norm.rms", record)
    st.markdown("## " + _("The residual stream: norm before, or norm after"))
    place = with_values(state.read(StreamAt), text=params.text)
    for column, name, formula in zip(
        st.columns(2, gap="large"),
        ("gpt", "bert"),
        (r"x \leftarrow x + \mathrm{Layer}(\mathrm{LN}(x))",
         r"x \leftarrow \mathrm{LN}(x + \mathrm{Layer}(x))"),
        strict=True,
    ):  # fmt: skip
        with column:
            st.latex(formula)
            sizes = show("stream.sizes", with_values(place, model=name), key=f"sizes-{name}")
            if sizes is not None:
                reading("stream.sizes", sizes)
                cut_notice(sizes.cut)
                if name != model:
                    read_notice(name, [params.text])
    st.markdown("## " + _("The gradient that reaches the first block"))
    depth = with_values(state.read(Depth), model=model, text=params.text)
    which, how_many = st.columns([2, 3], vertical_alignment="bottom")
    kinds = {"fresh": _("fresh blocks"), "own": _("the model's own")}
    with which:
        controls.choice(_("Blocks"), "blocks", depth, list(kinds), kinds.__getitem__)
    with how_many:
        if depth.blocks == "fresh":
            controls.slider(_("How many"), "depth", depth)
    for column, name in zip(
        st.columns(2, gap="large"), ("stream.gradient", "stream.alike"), strict=True
    ):
        with column, st.spinner(_("Sending gradients down four stacks of blocks")):
            flow = show(name, depth)
            if flow is not None:
                reading(name, flow)
    st.markdown(
        _("The loss is that of this text's first {n} tokens; its gradient goes down through each "
          "stack by the chain rule, computed in float64. Embeddings, last norm and output matrix "
          "are the model's own. Fresh blocks have its shape, matrices from N(0, 0.02), biases 0, "
          "gains 1. “No sums” means that each part's output replaces its input.")
        .format(n=flow.n_tokens if flow is not None else 0)
    )  # fmt: skip
    if record is not None:
        with st.expander(_("The formula, and where lecture notes say something else")):
            st.latex(r"y = a \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + b")
            for line in norms.errata(record):
                st.markdown("- " + line)
    definitions([f"blocks.0.{name}" for name in (
        "resid_pre", "ln_1.mean", "ln_1.var", "ln_1.normalized", "ln_1.out", "resid_mid",
        "resid_post")], params)  # fmt: skip
