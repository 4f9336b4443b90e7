"""Masks: who may look at whom, what it costs the others, and what the model then says."""

import streamlit as st

from core.figures import view
from core.figures.masks import (
    KINDS,
    SIZES,
    MaskBatch,
    UnderMask,
    in_a_batch,
    notices,
    read_mask,
    sentences,
    spec_for,
    warning,
)
from core.figures.masks_worked import LearningParams, WorkedMask
from core.language import _
from pages.parts import controls, state
from pages.parts.page import (
    Experiment,
    choose_model,
    definitions,
    exports,
    heading,
    milliseconds,
    read_notice,
    record_of,
    show,
    source,
    text_or_last,
    try_this,
    with_values,
)

model = choose_model("any")
params = text_or_last(with_values(state.read(UnderMask), model=model))
record = record_of("masks.grid", params)
spec, problem = read_mask(params.mask)


heading(
    _("Who may look at whom?"),
    _("{model} · mask: {kind} · layer {layer}, head {head} · {n} tokens · ran in {ms} ms").format(
        model=model.upper(), kind=_(KINDS[record.spec.kind]), layer=record.layer, head=record.head,
        n=record.n, ms=milliseconds(record.trace.seconds),
    ),
    reads=None if record.batch else params,
)  # fmt: skip
if problem is not None:
    st.warning(problem.sentence(), icon=":material/link:")
for notice in notices(record):
    st.info(notice, icon=":material/info:")
if record.batch:
    show("masks.batch", params, record=record, export=False)
show("masks.strip", params, record=record, export=False)

kinds, size, head = st.columns([7, 2, 4], vertical_alignment="bottom")
with kinds:
    controls.told(
        _("Mask"), "mask-kind", record.spec.kind, list(KINDS), lambda kind: _(KINDS[kind]),
        lambda kind: state.update({"mask": spec_for(kind, record)}),
    )  # fmt: skip
with size:
    if spec.kind in SIZES:
        controls.told_number(
            _("Prefix length") if spec.kind == "prefix" else _("Window width"),
            f"mask-{spec.kind}", spec.size, 1, record.n,
            lambda n: state.update({"mask": f"{spec.kind}:{n}"}),
        )  # fmt: skip
    elif spec.kind == "padding":
        with st.popover(_("Edit the batch")):
            controls.text_area(_("The other sentences, one a line"), "batch", params, height=130)
with head:
    controls.choice(_("Head"), "head", params, list(range(record.trace.topology.n_heads)))

grid, prediction = st.columns([17, 10], gap="large")
with grid:
    show("masks.grid", params, record=record)
with prediction:
    leak = warning(record)
    if leak is not None:
        st.warning(str(leak), icon=":material/visibility:")
    show("masks.prediction", params, record=record)
    if record.batch:
        st.markdown(str(in_a_batch(record)))
        read_notice(model, sentences(params))
source(f"blocks.{record.layer}.attn.scores_masked")

with st.container(key="below-stage"):
    if record.batch:
        exports(MaskBatch(), record, "masks.batch")
    try_this(
        [
            Experiment(
                _("Take the mask away"),
                _("Every token sees its answer. A model that learnt with the mask hardly uses it: "
                  "it never had to look ahead. Compare the bars."),
                {"mask": "none", "sheet": 0, "model": "gpt", "token": None, "key": None},
            ),
            Experiment(
                _("See only two tokens"),
                _("Go to “Through all blocks”: block after block the window still hears of words "
                  "further back, one token further a block."),
                {"mask": "window:2", "sheet": 1, "model": "gpt", "token": None, "key": 0},
            ),
            Experiment(
                _("Let BERT read one way only"),
                _("BERT learnt with both sides in sight. Under a causal mask the words after the "
                  "gap are gone: watch what happens to its best guess."),
                {"mask": "causal", "sheet": 0, "model": "bert", "token": None, "key": None,
                 "text": "The cat sat on the [MASK] and looked at the moon"},
            ),
        ]
    )  # fmt: skip
    st.markdown("## " + _("An example to do by hand"))
    worked = show("masks.worked", state.read(WorkedMask))
    with st.expander(_("Where lecture notes print something else")):
        for line in view.get("masks.worked").errata(worked):  # type: ignore[attr-defined]
            st.markdown("- " + line)
    st.markdown("## " + _("Why not learn without a mask?"))
    st.markdown(
        _("Two tiny models learn texts of 16 symbols in which each symbol is followed by one of "
          "two others, at even odds. One has a causal mask, one has none. Both are trained here, "
          "from the same start on the same texts.")
    )  # fmt: skip
    with st.spinner(_("Training two tiny models, about a second")):
        learnt = show("masks.learning", LearningParams())
    st.markdown(str(view.get("masks.learning").describe(learnt)))
    st.markdown(
        _("That is why BERT, which has no mask, is not asked for the next word: some words of its "
          "input are hidden, and it is asked for those. An encoder needs no causal mask, because "
          "its whole input is there before it starts.")
    )  # fmt: skip
    definitions(
        [f"blocks.0.attn.{name}" for name in ("scores", "scores_masked", "weights")],
        params,
        n_tokens=len(record.trace.tokens),
    )
