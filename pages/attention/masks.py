"""Masks: who may look at whom, what it costs the others, and what the model then says."""

from dataclasses import replace

import streamlit as st

from core.errors import CoreError
from core.experiments import MASKS
from core.language import _, name_of
from core.views.masks.asked import KINDS, SIZES, UnderMask, sentences
from core.views.masks.learning import NoSettings
from core.views.masks.run import MaskRun, spec_for
from core.views.masks.worked import WorkedMask
from core.views.parts import head_at
from pages.parts import controls, state
from pages.parts.attention import which_attention
from pages.parts.figure import reading, record_of, save_menu, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.messages import read_notice, show_error
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
from pages.parts.watching import progress


def under_mask(params: UnderMask, *, say: bool = False) -> tuple[UnderMask, MaskRun]:
    """The run under the mask that was chosen, or under the model's own.

    A mask may have come from another attention, or from another model.

    Args:
        params: as they were chosen.
        say: also why the mask that was chosen cannot be had here.
    """
    try:
        return params, record_of("masks.grid", params)
    except CoreError as not_here:
        if say:
            show_error(not_here)
        own = replace(params, mask="own")
        return own, record_of("masks.grid", own)


def stage() -> None:
    """The mask, and what the model says under it."""
    params, record = under_mask(open_page(UnderMask), say=True)

    said(params, record)
    show_notes("masks.grid", record, "info")
    if record.batch:
        show("masks.batch", params, save=False)
    show("masks.strip", params, record=record, save=False)
    grid, prediction = st.columns([17, 10], gap="large")
    with grid:
        show("masks.grid", params, record=record)
    with prediction:
        which_attention(record)
        settings(params, record)
        show_notes("masks.grid", record, "warning")
        show("masks.prediction", params)
        show_notes("masks.grid", record, "more")
        if record.batch:
            read_notice(params.model, sentences(params))
    source(f"{record.prefix}scores_masked", params.model)


def said(params: UnderMask, record: MaskRun) -> None:
    """The title, and what a mask is for; a batch leaves no room for that."""
    claim = _(
        "A model that learns to predict the next token must not see it, or it would only "
        "learn to copy. The [[causal mask]] forbids each token to attend to later ones. "
        "Other masks exclude [[padding]], or tokens that are far away."
    )
    heading(
        _("Which tokens may attend to which?"),
        (
            name_of(params.model), _("mask: {kind}").format(kind=_(KINDS[record.spec.kind])),
            head_at(record), n_tokens(record.queries.n), ran_in(record.trace.seconds),
        ),
        claim="" if record.batch else claim,
        terms=("score", "softmax", "batch", "logit"),
        reads=None if record.batch else params,
    )  # fmt: skip


def settings(params: UnderMask, record: MaskRun) -> None:
    """Which mask, and of which head."""
    kind = record.spec.kind
    controls.choice_with_callback(
        _("Mask"), "mask-kind", kind, record.kinds, lambda kind: _(KINDS[kind]),
        lambda kind: state.update({"mask": spec_for(kind, record)}),
    )  # fmt: skip
    head, size = st.columns([3, 2], vertical_alignment="bottom")
    with size:
        if kind in SIZES:
            controls.number_with_callback(
                _("Prefix length") if kind == "prefix" else _("Window width"),
                f"mask-{kind}", record.spec.size, 1, record.queries.n,
                lambda n: state.update({"mask": f"{kind}:{n}"}),
            )  # fmt: skip
        elif kind == "padding":
            with st.popover(_("Edit the batch")):
                controls.text_area("batch", params, height=130)
    with head:
        controls.choice("head", params, range(record.n_heads))


def experiments() -> None:
    """Three clicks that show something."""
    try_this(MASKS)


def batch_files() -> None:
    """The files of the batch, which stands where there is no room for them."""
    params, record = under_mask(params_of(UnderMask))
    if record.batch:
        save_menu("masks.batch", params)


def by_hand() -> None:
    """An example with small numbers."""
    st.markdown("## " + _("An example to do by hand"))
    worked = show("masks.worked", state.read(WorkedMask))
    with st.expander(_("A common mistake in lecture notes")):
        show_notes("masks.worked", worked, "erratum")


def why() -> None:
    """What a model learns without a mask, and what the names mean."""
    st.markdown("## " + _("Why not train without a mask?"))
    st.markdown(
        _("Two tiny models are trained here on texts of 16 symbols. Each symbol is followed "
          "by one of two others, with equal odds. One model has a causal mask, the other has "
          "none. Both start from the same weights and see the same texts.")
    )  # fmt: skip
    progress("masks.learning", NoSettings())
    reading("masks.learning", show("masks.learning", NoSettings()))
    st.markdown(
        _("That is why BERT, which has no causal mask, is not trained to predict the next "
          "word. Some words of its input are hidden, and it predicts those. An encoder needs "
          "no causal mask, because its whole input is there before it starts.")
    )  # fmt: skip
    params, record = under_mask(params_of(UnderMask))
    definitions(
        [f"{record.attention.prefix(0)}.{name}" for name in ("scores", "scores_masked", "weights")],
        params,
        lengths=record.trace.lengths,
    )


part("stage", stage)
with st.container(key="below-stage"):
    part("batch-files", batch_files)
    part("experiments", experiments)
    later("by-hand", by_hand)
    later("why", why)
