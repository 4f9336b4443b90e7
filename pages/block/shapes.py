"""Block shapes: where norm and sum stand in a layer, and what that does before any training."""

import streamlit as st

from core import recorded
from core.experiments import SHAPES
from core.language import _
from pages.parts.page import heading, source_of
from pages.shell.figure import Field, figure, prose
from pages.shell.offers import experiments


def stage() -> None:
    """The circuits, the chosen one marked, with its numbers."""
    heading(_("fresh weights, nothing learned yet: every number is from a run just now"))
    figure("shapes.circuit", says=("reading",), height=420)
    prose("shapes.circuit", controls=("shape", "circuits_drawn", "shape_layer"))
    source_of("core/nn/shaped_block.py", "x = x + written if self.residual else written")


def before_training() -> None:
    """The signal forward and the gradient backward, layer by layer."""
    st.markdown("## " + _("Forward and backward, before the first step"))
    seed = Field("shape_seed", "number")
    prose("shapes.signal", controls=("shape_depth", "shape_width", "shape_spread", seed))
    forward, backward = st.columns(2, gap="large")
    with forward:
        figure("shapes.signal", says=("reading",), height=560)
    with backward:
        figure("shapes.gradient", says=("reading",), height=560)
    st.markdown(
        _("Each shape is a small GPT with fresh weights that reads the same 32 tokens, drawn by "
          "the seed. Weights are drawn about 0 with the spread chosen above, where n is how many "
          "inputs a matrix has. “By depth” is 1/√n, and the matrices that write to the stream, "
          "W_O and W_2, are divided by √(2 · layers) as in GPT-2. The gradient is that of the loss "
          "with respect to what each layer hands on, computed in float64.")
    )  # fmt: skip


def learning() -> None:
    """What small models have learned, as far as it was recorded."""
    curves = recorded.curves(recorded.FOLDER)
    if not curves:
        return
    st.markdown("## " + _("The same budget for each: what small models learned"))
    which = ("curve_group", "curve_line")
    figure("shapes.curves", controls=which, says=("reading",), height=560)
    with st.expander(_("How these curves were made")):
        st.markdown(
            _("Each model was trained by us, with the same steps on the same rows. Held out means "
              "that the text ends before the token that is asked for, so nothing can be looked up. "
              "DIR is the folder of the corpora.")
        )  # fmt: skip
        st.code("\n".join(one.command for one in curves.values()), language="sh")


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


def further() -> None:
    """What can be tried, what was measured and recorded, and the equations."""
    experiments(SHAPES)
    before_training()
    learning()
    equations()


stage()
with st.container(key="below-stage"):
    further()
