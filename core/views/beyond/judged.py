"""How comparisons become marks: the chance that one of two answers is preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.text import Mark, Sentence, decimal, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import NO_MODEL
from core.views.params import param
from core.views.view import View

APART = np.linspace(-8, 8, 65)


@dataclass(frozen=True, slots=True)
class Judging:
    """Two answers and their marks.

    Attributes:
        mark_a, mark_b: what the reward model gives each.
    """

    mark_a: float = param(1.5, low=-4.0, high=4.0, label=N_("Mark of answer A"))
    mark_b: float = param(0.5, low=-4.0, high=4.0, label=N_("Mark of answer B"))


class Judged(View[Judging, Judging]):
    """Bradley and Terry 1952; the loss is equation 1 of Ouyang et al. 2022, for one pair."""

    name, Params, needs = "beyond.judged", Judging, NO_MODEL

    def compute(self, runs: Sequence[object], params: Judging) -> Judging:
        return params

    def values(self, record: Judging) -> Mapping[str, Values]:
        along = (Along("difference", _("difference of the marks"), [f"{one:g}" for one in APART]),)
        chance = _chance(_apart(record))
        return {
            "curve": Values(_("probability that A is preferred"), _chance(APART), along),
            "difference": Values(_("difference of the marks"), np.array(_apart(record))),
            "probability": Values(_("probability that A is preferred"), np.array(chance)),
            "loss": Values(_("loss if A is preferred"), np.array(-np.log(chance)), unit=_("nats")),
        }

    def describe(self, record: Judging) -> Sentence:
        chance = float(_chance(_apart(record)))
        return sentence(
            _("σ({a} − {b}) = σ({d}) = {share}: this is how often the reward model expects A to "
              "be preferred. If a person prefers A, its loss is {right} nats. If a person prefers "
              "B, it is {wrong}."),
            a=_mark(record.mark_a), b=_mark(record.mark_b), d=decimal(_apart(record), 1),
            share=Mark(percent(chance), "accent"), right=number(float(-np.log(chance)), 2),
            wrong=number(float(-np.log1p(-chance)), 2),
        )  # fmt: skip

    def draw(self, record: Judging) -> Plot:
        apart, says = _apart(record), "{name}: {y:.3f}"
        return Plot(
            title=_("How often A is preferred, over the difference of the marks"),
            x=PlotAxis(title=_("mark of A − mark of B"), range=(-8, 8)),
            y=PlotAxis(title=_("probability that A is preferred"), range=(0, 1)),
            series=[
                Curve(x=APART, y=_chance(APART), role="muted", name="σ", hover=says),
                Points(x=[apart], y=[float(_chance(apart))], role="accent", size=12,
                       name=_("these two answers"), hover=says),
            ],
            height=320,
        )  # fmt: skip


def _apart(record: Judging) -> float:
    return record.mark_a - record.mark_b


def _chance(apart: np.ndarray | float) -> np.ndarray:
    """σ of the difference of the marks."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(apart, np.float64))))


def _mark(value: float) -> str:
    """A mark; one below 0 in parentheses, as it stands behind a minus."""
    written = decimal(value, 1)
    return f"({written})" if value < 0 else written
