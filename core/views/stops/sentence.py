"""What each machine makes of a sentence, and what somebody else's translation costs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import BarSeries, Plot, PlotAxis
from core.figures.text import Mark, Sentence, decimal, ends_itself, join, sentence
from core.figures.values import Along, Values
from core.inputs import SourceTarget
from core.language import _, name_of
from core.locale import in_quotes
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.requests import ATTENTION, Request, TraceRequest
from core.runs.results import Run
from core.views.controls import Control
from core.views.params import OnText
from core.views.stops.walk import CALLED, Walking, stop_of
from core.views.translate.chain import text_of
from core.views.translate.forcing import Forced, forced
from core.views.view import Note, View


@dataclass(frozen=True)
class Machine:
    """One machine and the sentence.

    Attributes:
        model: its id.
        stop: its number, see ``core.views.stops.walk``; None for a machine that is at none.
        read: what it writes by itself, and what the reference costs it.
    """

    model: str
    stop: int | None
    read: Forced

    @property
    def text(self) -> str:
        """What it writes."""
        return text_of(self.read.own)

    @property
    def loss(self) -> float:
        """Nats of the whole reference: minus the logarithm of its probability."""
        return float(self.read.loss.sum())


@dataclass(frozen=True)
class Walked:
    """All machines on one sentence.

    Attributes:
        params: what was asked for.
        machines: in the order of the stops.
    """

    params: Walking
    machines: Sequence[Machine]

    @property
    def given(self) -> bool:
        """Somebody else wrote a reference; else each machine is measured on its own words."""
        return bool(self.params.taught)

    @property
    def here(self) -> Machine:
        """The machine whose stop the page is at."""
        own = [one for one in self.machines if one.model == self.params.model]
        return own[0] if own else self.machines[-1]


class OnSentence(View[Walking, Walked]):
    """A bar for each machine: what the translation costs it."""

    name, Params, needs = "stops.sentence", Walking, Needs("translate")

    def requests(self, params: Walking) -> tuple[Request, ...]:
        free = OnText(text=params.text).given
        given = SourceTarget(params.text, params.taught) if params.taught else free
        return tuple(
            TraceRequest(model, one, sites=(ATTENTION,))
            for model in params.machines
            for one in (given, free)
        )

    def compute(self, runs: Sequence[Run], params: Walking) -> Walked:
        machines = []
        for model, taught, free in zip(params.machines, runs[::2], runs[1::2], strict=True):
            blueprint = taught.trace.blueprint
            require(taught.trace.model, [one.ability for one in blueprint.heads], "translate")
            machines.append(Machine(model, stop_of(blueprint), forced(taught, free, params)))
        return Walked(params, machines)

    def values(self, record: Walked) -> Mapping[str, Values]:
        machines = record.machines
        along = (Along("machine", _("machine"), [name_of(one.model) for one in machines]),)
        place = (machines.index(record.here),)
        return {
            "loss": Values(
                _("loss of the whole translation"), np.array([one.loss for one in machines]),
                along, _("nats"), selected=place,
            ),
            "mean": Values(
                _("loss per token"), np.array([one.read.loss.mean() for one in machines]), along,
                _("nats"), selected=place,
            ),
            "text": Values(
                _("what it writes"), np.array([one.text for one in machines], object), along,
                selected=place,
            ),
        }  # fmt: skip

    def describe(self, record: Walked) -> Sentence:
        here = record.here
        writes = sentence(
            _("{model} writes: {text}") if ends_itself(here.text) else _("{model} writes {text}."),
            model=Mark(name_of(here.model), "strong"),
            text=Mark(in_quotes(here.text), "accent"),
        )
        if not record.given:
            cost = sentence(
                _("Its own words cost it {loss} nats. Write a reference: then all machines are "
                  "measured on the same words."),
                loss=decimal(here.loss, 1),
            )  # fmt: skip
            return join([writes, cost])
        best, worst = min(record.machines, key=_loss), max(record.machines, key=_loss)
        return join([writes, sentence(
            _("The reference costs {model} {loss} nats. It surprises {worst} most, {most} nats, "
              "and {best} least, {least} nats."),
            model=name_of(here.model), loss=Mark(decimal(here.loss, 1), "accent"),
            worst=name_of(worst.model), most=decimal(worst.loss, 1),
            best=name_of(best.model), least=decimal(best.loss, 1),
        )])  # fmt: skip

    def draw(self, record: Walked) -> Plot:
        machines = record.machines
        title = _("What the translation costs")
        if not record.given:
            title = _("What its own translation costs")
        roles = ["accent" if one is record.here else "residual" for one in machines]
        places = np.arange(len(machines), dtype=float)
        return Plot(
            title=title,
            x=PlotAxis(title=_("loss of the whole translation (nats)"), from_zero=True),
            y=PlotAxis(
                title="", categories=[name_of(one.model) for one in machines],
                range=(len(machines) - 0.5, -0.5), grid=False,
            ),
            series=[
                BarSeries(
                    x=[one.loss for one in machines], y=places, role=roles, across=True,
                    labels=[decimal(one.loss, 1) for one in machines],
                    text=[called(one) for one in machines], hover="{text}", legend=False,
                )
            ],
            height=90 + 44 * len(machines),
        )  # fmt: skip

    def notes(self, record: Walked) -> Sequence[Note]:
        """What each machine writes."""
        return [
            Note("more", sentence(
                _("{label}: {value}"), label=Mark(name_of(one.model), "strong"), value=one.text
            ))
            for one in record.machines
        ]  # fmt: skip

    def controls(self, record: Walked) -> Sequence[Control]:
        """Which machine is looked at, and what they are measured on."""
        params = record.params
        machines = [(one, name_of(one)) for one in params.machines]
        return (
            Control("model", params.model, options=machines),
            Control("reference", params.reference, "line", placeholder=params.taught),
        )


def _loss(machine: Machine) -> float:
    return machine.loss


def called(machine: Machine) -> str:
    """A machine, its stop and what it writes."""
    stop = "" if machine.stop is None else f" ({_(CALLED[machine.stop])})"
    return _("{label}: {value}").format(label=name_of(machine.model) + stop, value=machine.text)
