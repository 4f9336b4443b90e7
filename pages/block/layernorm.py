"""LayerNorm and residual: one vector step by step, the stream's size, the gradient."""

import dataclasses
from typing import Literal

import streamlit as st

from core import zoo
from core.errors import CoreError
from core.experiments import LAYERNORM
from core.language import N_, _, name_of
from core.models.needs import Needs
from core.views.norm.sentences import as_read
from core.views.norm.vector import NormRun, OneVector
from core.views.parts import fitting
from core.views.stream.places import StreamAt
from core.views.stream.stacks import Depth
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, save_menu, show, show_notes, show_steps
from pages.parts.fragments import later, part
from pages.parts.messages import cut_notice, read_notice
from pages.parts.page import (
    definitions,
    heading,
    milliseconds,
    open_page,
    params_of,
    shows_another,
    try_this,
)
from pages.parts.runs import model_for
from pages.parts.stacks import arranged, which_stack
from pages.parts.watching import progress

CLAIMS = {  # by where the model's norms stand
    "pre": N_("Every part of a layer adds to the [[residual stream]], so its vectors grow on the "
              "way up. Before each part, [[LayerNorm]] subtracts the mean and divides by the "
              "spread, so that the part receives numbers of the same size. Because the mean is "
              "subtracted, adding the same number to every component changes nothing."),
    "post": N_("Each part adds its result to the [[residual stream]]. After each sum, "
               "[[LayerNorm]] subtracts the mean and divides by the spread, so that the next part "
               "receives numbers of the same size. Because the mean is subtracted, adding the "
               "same number to every component changes nothing."),
}  # fmt: skip


def chosen(params: OneVector) -> tuple[OneVector, NormRun | None]:
    """The vector that was chosen, at a norm that is named; None if none can be read."""
    if params.source != "worked":
        params = dataclasses.replace(params, norm=record_of("norm.steps", params).norm)
    try:
        return params, record_of("norm.steps", params)
    except CoreError:
        return params, None


def stage() -> None:
    """One vector, step by step."""
    params = open_page(OneVector)
    worked = params.source == "worked"
    about = _("An example small enough to follow; you can change any of its numbers")
    if not worked:
        at = record_of("norm.steps", params)
        about = _("{model} · {norm} · “{token}” · ran in {ms} ms").format(
            model=name_of(params.model), norm=at.place, token=at.name,
            ms=milliseconds(at.trace.seconds),
        )  # fmt: skip
    heading(
        _("What keeps the numbers in bounds?"),
        about,
        claim=_(CLAIMS[zoo.blueprint(params.model).stack(params.stack).arrangement]),
        terms=("variance", "gain", "epsilon", "rmsnorm", "gradient"),
        reads=params,
    )  # fmt: skip
    params, record = chosen(params)
    if record is not None and not worked:
        show("norm.strip", params, record=record, save=False)
    which, steps = st.columns([5, 9], vertical_alignment="top")
    with which:
        controls.choice("source", params)
    if record is None:
        show("norm.steps", params)  # which says what is wrong
    else:
        with steps:
            show_steps("norm.steps", record, key="steps")
        show("norm.steps", params, record=record)
    settings(params)
    if record is not None and worked and params.vector != OneVector().vector:
        st.caption(_("Read: x = {numbers}").format(numbers=as_read(record)))
    if record is not None and not worked:
        save_menu("norm.strip", params)


def settings(params: OneVector) -> None:
    """The numbers of the example, or the norm at which a token is looked at."""
    worked = params.source == "worked"
    blueprint = zoo.blueprint(params.model)
    if worked:
        numbers = st.columns([5, 3, 3, 3], vertical_alignment="bottom")
        for column, name in zip(numbers, ("vector", "gain", "shift", "eps"), strict=True):
            with column:
                controls.line(name, params)
        return
    norm, stack = st.columns([9, 5], vertical_alignment="bottom")
    with norm:
        controls.part("norm", params, blueprint)
    with stack:
        which_stack(params, blueprint)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(LAYERNORM)


def without_mean() -> None:
    """RMSNorm on the same vector."""
    params, record = chosen(params_of(OneVector))
    if record is not None:
        st.markdown("## " + _("RMSNorm beside LayerNorm"))
        show("norm.rms", params, record=record)
        reading("norm.rms", record)


def streams() -> None:
    """The size of the residual stream, with the norm before and after."""
    params = params_of(OneVector)
    model = params.model
    st.markdown("## " + _("The residual stream, with the norm before or after"))
    if params.source == "worked":
        which_stack(params, zoo.blueprint(model))
    place = dataclasses.replace(state.read(StreamAt), text=params.text)
    formulas: dict[Literal["pre", "post"], str] = {
        "pre": r"x \leftarrow x + \mathrm{Layer}(\mathrm{LN}(x))",
        "post": r"x \leftarrow \mathrm{LN}(x + \mathrm{Layer}(x))",
    }
    for column, (arrangement, formula) in zip(
        st.columns(2, gap="large"), formulas.items(), strict=True
    ):
        one = arranged(arrangement, model)
        if one is None:
            continue
        with column:
            st.latex(formula)
            target = params.target if one == model else ""
            own = dataclasses.replace(place, model=one, target=target)
            own = fitting(own, zoo.blueprint(one))
            sizes = show("stream.sizes", own, key=f"sizes-{one}")
            if sizes is not None:
                reading("stream.sizes", sizes)
                cut_notice(sizes.cut)
                if one != model:
                    read_notice(one, [params.text])


def gradient() -> None:
    """The gradient that reaches the first block."""
    params = params_of(OneVector)
    model = params.model
    st.markdown("## " + _("The gradient that reaches layer 0"))
    with_loss = model_for(model, Needs("words"))
    if with_loss != model:
        shows_another(
            _("{chosen} cannot {ability}; {able} is used here."), model, with_loss, Needs("words")
        )
    depth = dataclasses.replace(state.read(Depth), model=with_loss, text=params.text)
    which, how_many = st.columns([2, 3], vertical_alignment="bottom")
    with which:
        controls.choice("blocks", depth)
    if depth.blocks == "fresh":
        with how_many:
            controls.slider("depth", depth)
        controls.choice("spread", depth)
    progress("stream.gradient", depth)
    for column, name in zip(
        st.columns(2, gap="large"), ("stream.gradient", "stream.alike"), strict=True
    ):
        with column:
            flow = show(name, depth)
            reading(name, flow)
    if flow is None:
        return
    st.markdown(
        _("The loss is that of the first {n} tokens of this text. Its gradient goes back "
          "through each stack by the chain rule, computed in float64. Embeddings, last norm "
          "and output matrix are the model's own. Fresh layers have the model's shape, biases 0 "
          "and gains 1. The weights of their matrices are drawn about 0 with the spread that is "
          "chosen above, where n is how many inputs a matrix has. “By depth” is 1/√n, and the "
          "matrices that write to the stream, W_O and W_2, are divided by √(2 · layers) as in "
          "GPT-2. “No sums” means that the output "
          "of each part replaces its input.")
        .format(n=flow.stacks.n_tokens)
    )  # fmt: skip


def named() -> None:
    """The formula, and what the names mean."""
    params, record = chosen(params_of(OneVector))
    stack = zoo.blueprint(params.model).stack(params.stack)
    worked = params.source == "worked"
    if record is not None:
        with st.expander(_("The formula, and a common mistake in lecture notes")):
            st.latex(r"y = a \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + b")
            show_notes("norm.steps", record, "erratum")
    names = ("resid_pre", "ln_1.mean", "ln_1.var", "ln_1.normalized", "ln_1.out", "resid_mid",
             "resid_post")  # fmt: skip
    definitions(
        [f"{stack.block(0)}.{name}" for name in names],
        params,
        lengths=None if record is None or worked else {stack.stream: len(record.tokens)},
    )


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("without-mean", without_mean)
    later("streams", streams)
    later("gradient", gradient)
    later("named", named)
