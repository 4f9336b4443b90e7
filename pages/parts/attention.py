"""Which kind of attention a page shows, for models that have several."""

from __future__ import annotations

import dataclasses

import streamlit as st

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
