"""The body cut after each layer: how good a linear head is on what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import Curve, Plot, PlotAxis, Points, Rule
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.live_training.records import Cuts
from core.locale import listed
from core.runs.requests import CutsRequest, Request
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.tune.tuning import BODY, Cutting
from core.views.view import View


@dataclass(frozen=True)
class Cut:
    """Heads on all layers, and the one that is looked at.

    Attributes:
        cuts: the heads.
        params: what was asked for.
    """

    cuts: Cuts
    params: Cutting

    @property
    def kept(self) -> int:
        """How many layers are kept."""
        return nearest("cut_layers", self.params.cut_layers, len(self.cuts.held) - 1)

    @property
    def along(self) -> Along:
        """The places of the cut."""
        return Along("layers", _("layers that are kept"), list(map(str, range(self.n))))

    @property
    def n(self) -> int:
        """Places to cut at."""
        return len(self.cuts.held)


def cut_requests(params: Cutting) -> tuple[Request, ...]:
    """The heads on all layers."""
    return (CutsRequest(params.model, params.lines, params.pooled, params.text),)


class ByLayer(View[Cutting, Cut]):
    """A curve for the sentences that it learned from, one for those held out."""

    name, Params, needs = "tune.layers", Cutting, BODY

    def requests(self, params: Cutting) -> tuple[Request, ...]:
        return cut_requests(params)

    def compute(self, runs: Sequence[Cuts], params: Cutting) -> Cut:
        return Cut(runs[0], params)

    def values(self, record: Cut) -> Mapping[str, Values]:
        axes, chosen = (record.along,), (record.kept,)
        return {
            "held": Values(_("right, held out"), record.cuts.held, axes, selected=chosen),
            "train": Values(_("right, learned from"), record.cuts.train, axes, selected=chosen),
        }

    def describe(self, record: Cut) -> Sentence:
        held = record.cuts.held
        best = np.flatnonzero(held == held.max())
        said = ngettext(
            "After {kept} layer a linear head labels {held} of the {n} held-out sentences "
            "correctly.",
            "After {kept} layers a linear head labels {held} of the {n} held-out sentences "
            "correctly.",
            record.kept,
        )
        more = (
            _("On these few every cut does as well.")
            if len(best) == len(held)
            else ngettext(
                "On these few the best cut is after {best}, with {most}.",
                "On these few the best cuts are after {best}, with {most} each.",
                len(best),
            )
        )
        return sentence(
            f"{said} {more} " + _("By chance it would be {chance}."),
            kept=str(record.kept),
            held=Mark(percent(float(held[record.kept])), "accent"),
            n=str(record.cuts.n_held),
            best=listed(map(str, best)),
            most=Mark(percent(float(held.max())), "accent"),
            chance=percent(1 / len(record.cuts.labels)),
        )

    def controls(self, record: Cut) -> Sequence[Control]:
        """A body has no more layers than it has."""
        return (Control("cut_layers", str(record.kept), "range", low=0, high=record.n - 1),)

    def draw(self, record: Cut) -> Plot:
        chance = 1 / len(record.cuts.labels)
        x = np.arange(record.n)
        return Plot(
            title=_("Right labels, by where the body is cut"),
            x=PlotAxis(title=_("layers that are kept"), every=1),
            y=PlotAxis(title=_("share of right labels"), range=(0, 1.05)),
            series=[
                Curve(x=x, y=record.cuts.train, name=_("learned from"), role="residual",
                      dash="dash", hover="{name}: {y:.2f}"),
                Curve(x=x, y=record.cuts.held, name=_("held out"), role="accent", markers=7,
                      hover="{name}: {y:.2f}"),
                Points(x=x[[record.kept]], y=record.cuts.held[[record.kept]], role="warning",
                       name=_("this cut"), size=13, symbol="diamond"),
            ],
            rules=[Rule(y=chance, text=_("by chance"), role="residual", dash="dot")],
            height=320,
            fixed=True,
        )  # fmt: skip
