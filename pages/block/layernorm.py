"""LayerNorm and residual: one vector step by step, the stream's size, the gradient."""

from typing import Literal

import streamlit as st

from core import zoo
from core.language import N_, _
from core.models.needs import Needs
from core.shelf.abilities import arranged, can, model_for
from core.views.norm import OneVector
from pages.parts.page import heading, open_page, params_of, shows_another
from pages.shell.figure import Field, definitions, figure, files, prose
from pages.shell.offers import experiments

CLAIMS = {  # by where the model's norms stand
    "pre": N_("Every part of a layer adds to the [[residual stream]], so its vectors grow "
              "through the layers. Before each part, [[LayerNorm]] subtracts the mean and divides "
              "by the spread, so that the part receives numbers of the same size. Because the mean "
              "is subtracted, adding the same number to every component changes nothing."),
    "post": N_("Each part adds its result to the [[residual stream]]. After each sum, "
               "[[LayerNorm]] subtracts the mean and divides by the spread, so that the next part "
               "receives numbers of the same size. Because the mean is subtracted, adding the "
               "same number to every component changes nothing."),
}  # fmt: skip


def stage() -> None:
    """One vector, step by step."""
    params = open_page(OneVector)
    heading(claim=_(CLAIMS[zoo.blueprint(params.model).stack(params.stack).arrangement]))
    prose("stream.sizes", says=("changes",))
    figure("norm.strip", save=False)
    figure(
        "norm.steps", controls=(Field("source", first=True),), says=("steps", "facts"),
        notes=("more",), below=("vector", "gain", "shift", "eps", "norm", "stack"), height=460,
    )  # fmt: skip
    files("norm.strip")


def streams() -> None:
    """The size of the residual stream, with the norm before and after."""
    params = params_of(OneVector)
    model = params.model
    # Each cuts the text in its own way, but both show one word. A decoder's target is another text.
    one_text = len(zoo.blueprint(model).streams) == 1 and can(model, Needs(parts=("tokens",)))
    word = {"counts": model} if one_text else {"token": "-1"}
    st.markdown("## " + _("The residual stream, with the norm before or after"))
    formulas: dict[Literal["pre", "post"], str] = {
        "pre": r"x \leftarrow x + \mathrm{Layer}(\mathrm{LN}(x))",
        "post": r"x \leftarrow \mathrm{LN}(x + \mathrm{Layer}(x))",
    }
    for column, (arrangement, formula) in zip(
        st.columns(2, gap="large"), formulas.items(), strict=True
    ):
        model_ = arranged(arrangement, model)
        if not model_:
            continue
        with column:
            st.latex(formula)
            if model_ == model:
                figure("stream.sizes", controls=("stack",), says=("reading", "cut"), height=400)
            else:
                figure("stream.sizes", says=("reading", "cut", "changes"), height=400,
                       fixed={"model": model_, "target": "", "stack": "", **word})  # fmt: skip


def gradient() -> None:
    """The gradient that reaches the first block."""
    model = params_of(OneVector).model
    st.markdown("## " + _("The gradient that reaches layer 0"))
    with_loss = model_for(model, Needs("words"))
    if with_loss != model:
        shows_another(
            _("{chosen} cannot {ability}; {able} is used here."), model, with_loss, Needs("words")
        )
    down, alike = st.columns(2, gap="large")
    with down:
        figure("stream.gradient", controls=("blocks", "depth", "spread"), says=("job", "reading"),
               notes=("more",), height=360)  # fmt: skip
    with alike:
        figure("stream.alike", says=("reading",), height=360)


def named() -> None:
    """The formula, and what the names mean."""
    params = params_of(OneVector)
    with st.expander(_("The formula, and a common mistake in lecture notes")):
        st.latex(r"y = a \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + b")
        prose("norm.steps", notes=("erratum",))
    block = zoo.blueprint(params.model).stack(params.stack).block(0)
    names = ("resid_pre", "ln_1.mean", "ln_1.var", "ln_1.normalized", "ln_1.out", "resid_mid",
             "resid_post")  # fmt: skip
    definitions("stream.sizes", [f"{block}.{name}" for name in names], params.model)


stage()
experiments("layernorm")
figure("norm.rms", says=("reading",), height=300, title=_("RMSNorm beside LayerNorm"))
streams()
gradient()
named()
