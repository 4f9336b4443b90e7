"""Which kind of attention a page shows, for models that have several, and its equation."""

from __future__ import annotations

import dataclasses

import streamlit as st

from core.language import _
from core.locale import spelt
from core.models.blueprint import Attention
from core.views.attention.head import HeadRun
from core.views.masks.run import MaskRun
from pages.parts import controls


def which_attention(run: HeadRun | MaskRun, *, scope: str = "") -> None:
    """A choice between the kinds of the model's attention; nothing where there is one.

    Args:
        run: the head that is shown.
        scope: of the figures.
    """
    blueprint = run.trace.blueprint
    if len(blueprint.attentions) > 1:
        chosen = dataclasses.replace(run.params, attention=run.attention.name)
        controls.part("attention", chosen, blueprint, scope=scope)


def which_head(run: HeadRun, *, scope: str = "") -> None:
    """A choice of layer and head, as far as there are several."""
    kind = run.attention
    sizes = {"layer": kind.n_layers, "head": kind.n_heads or 1}
    chosen = dataclasses.replace(run.params, layer=run.layer, head=run.head)
    several = [name for name, n in sizes.items() if n > 1]
    for column, name in zip(st.columns(len(several) or 1), several, strict=False):
        with column:
            controls.choice(name, chosen, range(sizes[name]), scope=scope)


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
