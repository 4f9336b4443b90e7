"""Block shapes: where norm and sum stand in a layer, and what that does before any training."""

import streamlit as st

from core.experiments import SHAPES
from core.language import _
from core.views.shapes.circuit import InLayer
from core.views.shapes.curves import OfCurves, any_recorded
from core.views.shapes.shaping import Shaping
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import later, part
from pages.parts.page import heading, source_of, try_this


def stage() -> None:
    """The circuits, the chosen one marked, with its numbers."""
    params = state.read(InLayer)
    heading(
        _("Where do norm and sum belong in a layer?"),
        _("fresh weights, nothing learned yet: every number is from a run just now"),
        claim=_("A layer has two parts, [[attention]] and [[feed-forward]], and "
                "[[residual-connection|residual sums]] around them. How they are wired decides "
                "how large the numbers grow on the way up, and how much [[gradient]] comes back. "
                "Click a circuit. How large its numbers are is given as a [[root-mean-square|root "
                "mean square]]. [[qk-norm|QK-norm]] and [[mdha|multi-dconv heads]] are two of the "
                "shapes."),
        terms=("residual-stream", "layernorm", "pre-norm", "post-norm", "parallel-layer",
               "squared-relu", "primer", "initialisation"),
    )  # fmt: skip
    record = record_of("shapes.circuit", params)
    show("shapes.circuit", params, record=record)
    reading("shapes.circuit", record)
    which, drawn, layer = st.columns([6, 3, 3], vertical_alignment="bottom")
    with which:
        controls.choice("shape", params)
    with drawn:
        controls.choice("circuits_drawn", params)
    with layer:
        controls.slider("shape_layer", params, high=params.shape_depth - 1)
    source_of("core/nn/shaped_block.py", "x = x + written if self.residual else written")


def before_training() -> None:
    """The signal forward and the gradient backward, layer by layer."""
    params = state.read(Shaping)
    st.markdown("## " + _("Forward and backward, before the first step"))
    depth, width, spread, seed = st.columns([4, 2, 4, 2], vertical_alignment="bottom")
    with depth:
        controls.slider("shape_depth", params)
    with width:
        controls.choice("shape_width", params)
    with spread:
        controls.choice("shape_spread", params)
    with seed:
        controls.number("shape_seed", params)
    for column, name in zip(
        st.columns(2, gap="large"), ("shapes.signal", "shapes.gradient"), strict=True
    ):
        with column:
            reading(name, show(name, params))
    st.markdown(
        _("Each shape is a small GPT with fresh weights that reads the same 32 tokens, drawn by "
          "the seed. Weights are drawn about 0 with the spread chosen above, where n is how many "
          "inputs a matrix has. “By depth” is 1/√n, and the matrices that write to the stream, "
          "W_O and W_2, are divided by √(2 · layers) as in GPT-2. The gradient is that of the loss "
          "with respect to what each layer hands on, computed in float64.")
    )  # fmt: skip


def learning() -> None:
    """What small models have learned, as far as it was recorded."""
    if not any_recorded():
        return
    params = state.read(OfCurves)
    st.markdown("## " + _("The same budget for each: what small models learned"))
    which, line = st.columns(2, vertical_alignment="bottom")
    with which:
        controls.choice("curve_group", params)
    with line:
        controls.choice("curve_line", params)
    record = show("shapes.curves", params)
    reading("shapes.curves", record)
    if record is None or not record.curves:
        return
    with st.expander(_("How these curves were made")):
        st.markdown(
            _("Each model was trained by us, with the same steps on the same rows. Held out means "
              "that the text ends before the token that is asked for, so nothing can be looked up. "
              "DIR is the folder of the corpora.")
        )  # fmt: skip
        st.code("\n".join(one.command for one in record.curves.values()), language="sh")


def experiments() -> None:
    """Clicks that move a number."""
    try_this(SHAPES)


def equations() -> None:
    """What the circuits say, as formulas."""
    with st.expander(_("The shapes as equations")):
        for formula, says in (
            (
                r"x \leftarrow x + \mathrm{Attn}(\mathrm{LN}(x)),\quad "
                r"x \leftarrow x + \mathrm{FFN}(\mathrm{LN}(x))",
                _("A: a sum for each part"),
            ),
            (
                r"x \leftarrow x + \mathrm{FFN}(\mathrm{Attn}(\mathrm{LN}(x)))",
                _("B: one sum around both. If what it adds becomes 0, both parts are skipped"),
            ),
            (
                r"x \leftarrow x + \mathrm{FFN}(\mathrm{LN}(x)),\quad "
                r"x \leftarrow x + \mathrm{Attn}(\mathrm{LN}(x))",
                _(
                    "C: the other natural order. The lecture's figure C is lost; this one is our "
                    "choice"
                ),
            ),
            (
                r"x \leftarrow x + \mathrm{Attn}(\mathrm{LN}(x)) + \mathrm{FFN}(\mathrm{LN}(x))",
                _("D: both parts read the same input"),
            ),
            (
                r"x \leftarrow \mathrm{LN}(x + \mathrm{Attn}(x)),\quad "
                r"x \leftarrow \mathrm{LN}(x + \mathrm{FFN}(x))",
                _("post-norm"),
            ),
            (
                r"s = \frac{\mathrm{LN}(q) \cdot \mathrm{LN}(k)}{\sqrt{d_\mathrm{head}}}",
                _("QK-norm"),
            ),
            (r"\mathrm{FFN}(x) = W_2\,\max(0, W_1 x)^2", _("squared ReLU")),
            (
                r"q_t \leftarrow \textstyle\sum_{s=0}^{2} w_s \odot q_{t-s}",
                _("multi-dconv heads: the same for k and v, with kernels of their own"),
            ),
        ):
            st.markdown(f"{says}: ${formula}$")  # fmt: skip


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    part("before-training", before_training)
    later("learning", learning)
    later("equations", equations)
