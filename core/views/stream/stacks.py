"""Four stacks of blocks, with and without sums and norms: what both views of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.records import KEPT, GradientFlow, Kept
from core.runs.requests import GradientRequest, Request
from core.views.params import OnText, param

PerStack = Sequence[NDArray[np.float64]]  # of each member of KEPT what is drawn, one a place
NAMES = ("both", "sums", "norms", "neither")  # of the members of KEPT
SPREADS = {
    "fixed": N_("0.02"),
    "fan_in": N_("1/√n"),
    "larger": N_("1.5/√n"),
    "by_depth": N_("by depth (GPT-2)"),
}


@dataclass(frozen=True, slots=True)
class Depth(OnText):
    """Which blocks the gradient goes through.

    Attributes:
        blocks: "fresh", newly initialised ones of the model's shape, or "own", the trained ones.
        depth: how many fresh ones.
        spread: standard deviation of the fresh ones' weights; n is how many inputs a matrix has.
    """

    blocks: str = param(
        "fresh",
        choices={"fresh": N_("fresh layers"), "own": N_("the model's own")},
        label=N_("Layers"),
    )
    depth: int = param(12, low=2, high=24, label=N_("How many"))
    spread: str = param("fixed", choices=SPREADS, label=N_("Spread of the fresh weights"))


def stack_name(stack: Kept) -> str:
    """What a stack keeps."""
    if stack.residual:
        return _("sums and norms") if stack.norms else _("sums, no norms")
    return _("norms, no sums") if stack.norms else _("neither")


def flow_requests(params: Depth) -> tuple[Request, ...]:
    """The gradient through the blocks that are meant."""
    if params.blocks == "own":
        return (GradientRequest(params.model, params.text),)
    asked = GradientRequest(params.model, params.text, params.depth, spread=params.spread)
    return (asked,)


def rising(record: GradientFlow) -> Sentence:
    """How far up the run has come, while it has not come to the top."""
    return sentence(
        _("The text is on its way up through the stacks: it has reached layer {n} of {depth}."),
        n=str(max(0, len(record.up) - 1)),
        depth=str(record.stacks.depth),
    )


def values_of(at: range, drawn: PerStack) -> Mapping[str, Values]:
    """What is drawn at some places, by the stack's name."""
    places = Along("place", _("place"), [str(place) for place in at])
    return {
        name: Values(stack_name(kept), line, (places,))
        for name, kept, line in zip(NAMES, KEPT, drawn, strict=True)
    }


def plot_of(record: GradientFlow, at: range, drawn: PerStack, *, title: str, y: PlotAxis) -> Plot:
    """A line for each stack over some places."""
    return Plot(
        title=title,
        x=PlotAxis(
            title=_("input of layer (the last: the output)"), range=(0, record.stacks.depth)
        ),
        y=y,
        series=[
            Curve(
                x=at,
                y=line,
                name=stack_name(kept),
                role="accent" if kept.residual else "warning",
                dash="solid" if kept.norms else "dash",
                width=2.5,
                hover="{name}: {y:.4g}",
            )
            for kept, line in zip(KEPT, drawn, strict=True)
        ],
        unified=True,
        height=360,
    )
