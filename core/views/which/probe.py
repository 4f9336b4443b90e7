"""One probe: the number of each machine beside the threshold, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components.plot import BarSeries, Plot, PlotAxis, Rule, Words
from core.figures.text import Mark, Sentence, join, sentence, shortened
from core.figures.values import Values
from core.language import _, name_of
from core.locale import listed
from core.views.view import Note, register
from core.views.which.run import Decision, OfDeciding, written

LONGEST = 160  # characters of what a machine has read or written
TOO_SHORT = 0.04  # of the scale: a bar that cannot be seen has its number above it


@register
class ProbeOfRow(OfDeciding):
    """Bars of the machines whose cells are settled, and a line at the threshold."""

    name = "which.probe"

    def values(self, record: Decision) -> Mapping[str, Values]:
        axes = (record.along_machines,)
        at = (list(record.machines).index(record.column),)
        probes = [record.found.get((record.row, column)) for column in record.machines]
        numbers = np.array([np.nan if one is None else one.number for one in probes])
        beside = np.array([np.nan if one is None else one.beside for one in probes])
        seconds = np.array([np.nan if one is None else one.seconds for one in probes])
        return {
            "number": Values(_(record.kind.measures), numbers, axes, selected=at),
            "beside": Values(_("to compare with"), beside, axes, selected=at),
            "least": Values(_("threshold"), np.array(record.kind.least)),
            "seconds": Values(_("duration"), seconds, axes, _("s")),
        }

    def describe(self, record: Decision) -> Sentence:
        kind = record.kind
        said = [sentence(
            _("“{use}” needs {least} or more."),
            use=Mark(_(kind.says), "strong"), least=Mark(written(kind, kind.least), "weight"),
        )]  # fmt: skip
        for column, model in record.machines.items():
            said += self.verdict(record, column, model)
        waiting = [name_of(model) for column, model in record.machines.items()
                   if (record.row, column) not in record.found]  # fmt: skip
        if waiting:
            said.append(sentence(_("Not settled yet: {models}."), models=listed(waiting)))
        return join(said)

    def verdict(self, record: Decision, column: int, model: str) -> list[Sentence]:
        """What the number of a machine says; nothing while it is open."""
        at = (record.row, column)
        if at not in record.found:
            return []
        found, can, name = record.found[at], record.can(at), Mark(name_of(model), "strong")
        if found.lacks:
            return [sentence(_("{model} cannot {ability}."), model=name, ability=_(found.lacks))]
        if can is None:
            return [sentence(_("This text is too short to ask {model}."), model=name)]
        template = _("{model} reaches {number}: it can.") if can else (
            _("{model} reaches {number}: it cannot.")
        )  # fmt: skip
        number = written(record.kind, found.number)
        return [sentence(template, model=name, number=Mark(number, "accent" if can else "key"))]

    def show(self, record: Decision) -> Plot:
        kind, columns = record.kind, list(record.machines)
        shown = [
            (n, record.found[record.row, column].number, record.can((record.row, column)))
            for n, column in enumerate(columns)
            if record.can((record.row, column)) is not None
        ]
        shown = [one for one in shown if not math.isnan(one[1])]
        bars = BarSeries(
            x=[n for n, _number, _can in shown],
            y=[number for _n, number, _can in shown],
            role=["value" if can else "key" for _n, _number, can in shown],
            name=_(kind.measures),
            labels=[written(kind, number) for _n, number, _can in shown],
            text=[_("can") if can else _("cannot") for _n, _number, can in shown],
            hover="{name}: {y:.4g}\n{text}",
            width=0.6,
        )
        top = max([kind.least, *(number for _n, number, _can in shown)]) * 1.15
        ticks = np.linspace(0, top / 1.15, 5) if kind.unit == "share" else None
        return Plot(
            title=_(kind.measures),
            alt=str(self.describe(record)),
            x=PlotAxis(title=_("machine"), categories=[
                name_of(record.machines[one]) + ("" if (record.row, one) in record.found else " ?")
                for one in columns
            ]),
            y=PlotAxis(
                title=_("share") if kind.unit == "share" else _("tokens"), range=(0.0, top),
                ticks=None if ticks is None else ticks.tolist(),
                labels=None if ticks is None else [written(kind, float(one)) for one in ticks],
            ),
            series=[bars],
            words=[
                Words(x=n, y=top * TOO_SHORT, text=written(kind, number))
                for n, number, _can in shown if number < top * TOO_SHORT
            ],
            rules=[Rule(
                y=kind.least, role="weight", dash="dash", width=2,
                text=_("threshold: {least}").format(least=written(kind, kind.least)),
            )],
            height=270,
            fixed=True,
        )  # fmt: skip

    def notes(self, record: Decision) -> Sequence[Note]:
        kind = record.kind
        notes = [Note("more", sentence(
            _("The threshold is {least}: {why}."),
            least=written(kind, kind.least), why=_(kind.why),
        ))]  # fmt: skip
        told: dict[str, None] = {}
        for column, model in record.machines.items():
            found = record.found.get((record.row, column))
            if found is None or not found.said or not kind.shows:
                continue
            words = [shortened(one.strip(), LONGEST) for one in found.said]
            told[_(kind.shows).format(*words, model=name_of(model),
                                      beside=written(kind, found.beside))] = None  # fmt: skip
        return [*notes, *(Note("more", sentence("{said}", said=one)) for one in told)]
