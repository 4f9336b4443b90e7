"""A new head learns in three ways: the loss by step, and how it does on what it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components.plot import Curve, Panel, Plot, PlotAxis, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.live_training.records import InThreeWays, Tuned
from core.runs.requests import FineTuneRequest, Request
from core.runs.told import Told
from core.views.tune.tuning import BODY, Training
from core.views.view import View

NAMES = {
    "frozen": N_("new head, frozen body"),
    "whole": N_("new head, whole model"),
    "scratch": N_("all from scratch"),
}
ROLES = {"frozen": "accent", "whole": "key", "scratch": "residual"}
_DONE = {
    "frozen": N_("With a frozen body the head labels {held} of the held-out sentences correctly."),
    "whole": N_("When the whole model learns, it is {held}."),
    "scratch": N_("From scratch it is {held}, although the loss on its own sentences is {loss}."),
}


def tuning_requests(params: Training) -> tuple[Request, ...]:
    """The training in the ways that are compared."""
    return (
        FineTuneRequest(params.model, params.lines, params.pooled, params.ways, params.tuning_seed),
    )


class InThree(View[Training, InThreeWays]):
    """Three losses, and below them three shares of right labels."""

    name, Params, needs = "tune.learning", Training, BODY

    def requests(self, params: Training) -> tuple[Request, ...]:
        return tuning_requests(params)

    def compute(self, runs: Sequence[Told], params: Training) -> InThreeWays:
        return InThreeWays.of(runs[0].records, params.ways)

    def values(self, record: InThreeWays) -> Mapping[str, Values]:
        found = {}
        for way, told in record.told.items():
            axes = (Along("step", _("step"), [str(one.step) for one in told]),)
            found[f"{way}_loss"] = Values(_("loss in nats"), _of(told, "loss"), axes)
            found[f"{way}_train"] = Values(_("right, learned from"), _of(told, "train"), axes)
            found[f"{way}_held"] = Values(_("right, held out"), _of(told, "held"), axes)
        return found

    def describe(self, record: InThreeWays) -> Sentence:
        if not record.finished:
            way, now = list(record.last.items())[-1]
            return sentence(
                _("{way}: after step {step} the loss is {loss}, and {held} of the held-out "
                  "sentences get the right label."),
                way=_(NAMES[way])[:1].upper() + _(NAMES[way])[1:], step=str(now.step),
                loss=number(now.loss), held=Mark(percent(now.held), "accent"),
            )  # fmt: skip
        return join([
            sentence(_(said), held=Mark(percent(record.last[way].held), "accent"),
                     loss=number(record.last[way].loss))
            for way, said in _DONE.items() if way in record.last
        ])  # fmt: skip

    def draw(self, record: InThreeWays) -> Plot:
        first = next(iter(record.last.values()))
        chance = 1 / len(first.labels)
        return Plot(
            title=_("Learning from a few sentences"),
            x=PlotAxis(title=_("training step"), range=(0, max(1, first.steps))),
            y=PlotAxis(title=_("loss in nats"), from_zero=True),
            series=_curves(record, "loss", "{name}: {y:.3f}"),
            below=[
                Panel(
                    y=PlotAxis(title=_("right, held out"), range=(0, 1.05)),
                    series=_curves(record, "held", "{name}: {y:.2f}", legend=False),
                    rules=[Rule(y=chance, text=_("by chance"), role="residual", dash="dot")],
                    share=0.5,
                )
            ],
            unified=True,
            height=460,
        )


def _of(told: Sequence[Tuned], field: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([float(getattr(one, field)) for one in told])


def _curves(record: InThreeWays, field: str, hover: str, *, legend: bool = True) -> list[Curve]:
    return [
        Curve(
            x=np.array([one.step for one in told]), y=_of(told, field), name=_(NAMES[way]),
            role=ROLES[way], hover=hover, legend=legend,
        )
        for way, told in record.told.items()
    ]  # fmt: skip
