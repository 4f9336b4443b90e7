"""How long a sentence takes to be read, by its length: measured on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import Curve, Panel, Plot, PlotAxis
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _, name_of
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.searched import Pace
from core.runs.translations import PaceRequest
from core.views.stops.looks import looks
from core.views.stops.walk import Walking
from core.views.view import View


@dataclass(frozen=True)
class Paces:
    """The machines' times.

    Attributes:
        params: what was asked for.
        machines: their ids.
        paces: of each.
    """

    params: Walking
    machines: tuple[str, ...]
    paces: Sequence[Pace]

    @property
    def lengths(self) -> tuple[int, ...]:
        """Those that all of them were measured at."""
        return min((one.lengths for one in self.paces), key=len)

    def growth(self, at: int) -> float:
        """How many times as long the longest source takes as the shortest."""
        seconds = self.paces[at].source
        return seconds[len(self.lengths) - 1] / seconds[0]


class Times(View[Walking, Paces]):
    """A curve for each machine: milliseconds by tokens, of the source and of the target."""

    name, Params, needs = "stops.pace", Walking, Needs("translate")

    def requests(self, params: Walking) -> tuple[Request, ...]:
        return tuple(PaceRequest(model, params.text) for model in params.machines)

    def compute(self, runs: Sequence[Pace], params: Walking) -> Paces:
        return Paces(params, params.machines, runs)

    def values(self, record: Paces) -> Mapping[str, Values]:
        n = len(record.lengths)
        axes = (
            Along("machine", _("machine"), [name_of(one) for one in record.machines]),
            Along("length", _("tokens"), [str(one) for one in record.lengths]),
        )
        found = {name: np.array([getattr(one, name)[:n] for one in record.paces])
                 for name in ("source", "target", "source_steps", "target_steps")}  # fmt: skip
        return {
            "source": Values(_("time for the source"), 1000 * found["source"], axes, _("ms")),
            "target": Values(_("time for the target"), 1000 * found["target"], axes, _("ms")),
            "source_steps": Values(_("steps one after the other, source"), found["source_steps"],
                                   axes),
            "target_steps": Values(_("steps one after the other, target"), found["target_steps"],
                                   axes),
        }  # fmt: skip

    def describe(self, record: Paces) -> Sentence:
        first, last = 0, len(record.machines) - 1
        n = len(record.lengths) - 1

        def said(at: int) -> Sentence:
            pace = record.paces[at]
            before, after = pace.source_steps[0], pace.source_steps[n]
            text = _("From {short} to {long} source tokens, the steps of {model} that wait for "
                     "each other go from {before} to {after}. Measured just now, it takes {factor} "
                     "times as long.")  # fmt: skip
            if before == after:
                text = _("From {short} to {long} source tokens, the steps of {model} that wait for "
                         "each other stay at {before}. Measured just now, it takes {factor} times "
                         "as long.")  # fmt: skip
            return sentence(
                text,
                short=str(record.lengths[0]), long=str(record.lengths[n]),
                model=Mark(name_of(record.machines[at]), "strong"),
                factor=Mark(number(record.growth(at)), "accent"),
                before=str(before), after=str(after),
            )  # fmt: skip

        return said(first) if first == last else join([said(first), said(last)])

    def line(self, record: Paces) -> tuple[str, str]:
        return "core/runs/answers/pace.py", "return sum(tower"

    def draw(self, record: Paces) -> Plot:
        def curves(field: str) -> list[Curve]:
            return [
                Curve(
                    x=record.lengths, y=[1000 * one for one in getattr(pace, field)[:n]],
                    name=name_of(model), markers=6, legend=field == "source",
                    text=[str(one) for one in getattr(pace, f"{field}_steps")[:n]],
                    hover=_("{name}, {x} tokens: {y:.2f} ms, {text} steps one after the other"),
                    **looks(at),
                )
                for at, (model, pace) in enumerate(zip(record.machines, record.paces, strict=True))
            ]  # fmt: skip

        n = len(record.lengths)
        return Plot(
            title=_("How long a sentence takes to be read"),
            x=PlotAxis(title=_("tokens"), log=True, ticks=record.lengths,
                       labels=[str(one) for one in record.lengths]),
            y=PlotAxis(title=_("source (ms)"), from_zero=True),
            series=curves("source"),
            below=[Panel(y=PlotAxis(title=_("target (ms)"), from_zero=True),
                         series=curves("target"), share=0.5)],
            height=520,
        )  # fmt: skip
