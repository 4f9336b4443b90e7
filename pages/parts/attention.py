"""Which kind of attention a page shows, for models that have several, and its equation."""

from __future__ import annotations

import streamlit as st

from core.language import _
from core.locale import spelt
from core.models.blueprint import Attention


def formula(attention: Attention, d_head: int) -> None:
    """The equation of a kind of attention, and what is in it.

    Args:
        attention: which.
        d_head: width of one of its heads.
    """
    score = r"q\,k^\top" if attention.scale is None else r"\frac{q\,k^\top}{\sqrt{d_\mathrm{head}}}"
    bias = "" if attention.bias is None else " + b"
    st.latex(rf"\mathrm{{Attention}}(q, k, v) = \mathrm{{softmax}}\!\left({score}{bias}\right) v")
    if attention.scale is not None:
        said = _("Here d_head = {d}, so scores are divided by {root}. Vaswani et al. 2017, "
                 "equation (1). With several heads it is the width of one head that counts, not "
                 "d_model.")  # fmt: skip
        st.markdown(said.format(d=d_head, root=spelt(f"{attention.scale:g}")))
    if attention.bias is not None:
        st.markdown(
            _("b is a learned number for each head and distance between query and key. Raffel et "
              "al. 2020, section 2.1.")
        )  # fmt: skip
