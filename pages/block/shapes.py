"""Block shapes: where norm and sum stand in a layer, and what that does before any training."""

from dataclasses import dataclass

import streamlit as st

from core.data import recorded
from core.language import _
from core.yaml_files import read_rows
from pages.parts.page import heading, source_of
from pages.shell.figure import Field, figure, prose
from pages.shell.offers import experiments


@dataclass(frozen=True, slots=True)
class Equation:
    """A shape of a layer as an equation.

    Attributes:
        says: what is special in it (translate with ``_``).
        formula: in LaTeX.
    """

    says: str
    formula: str


def stage() -> None:
    """The circuits, the chosen one marked, with its numbers."""
    heading(_("fresh weights, nothing learned yet: every number is from a run just now"))
    figure("shapes.circuit", says=("reading",), height=420)
    prose("shapes.circuit", controls=("shape", "circuits_drawn", "shape_layer"))
    source_of("core/shaped/block.py", "x = x + written if self.residual else written")


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
        st.code("\n".join(curve.command for curve in curves.values()), language="sh")


def equations() -> None:
    """What the circuits say, as formulas."""
    with st.expander(_("The shapes as equations")):
        for row in read_rows("equations.yaml", Equation):
            st.markdown(f"{_(row.says)}: ${row.formula}$")


def explain_further() -> None:
    """What can be tried, what was measured and recorded, and the equations."""
    experiments("shapes")
    before_training()
    learning()
    equations()


stage()
with st.container(key="below-stage"):
    explain_further()
