"""One probe: the number of each machine beside the threshold, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components.plot import BarSeries, Plot, PlotAxis, Rule, Words
from core.figures.text import Mark, Sentence, join, sentence, shortened
from core.figures.values import Values
from core.language import _, name_of
from core.locale import listed
from core.views.controls import Control, Press
from core.views.view import Note
from core.views.which.deciding import COLUMNS, NEED, PROBES_FILE, REASONS, Kind, guess, settle
from core.views.which.run import Decision, OfDeciding, written

LONGEST = 160  # characters of what a machine has read or written
ABOVE = 0.06  # of the scale: how far above its bar, or the threshold, a number stands
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25)  # between the marks of the axis
FILLER = 3  # the column of the machine that fills in spans


class ProbeOfRow(OfDeciding):
    """Bars of the machines whose cells are settled, and a line at the threshold."""

    name = "which.probe"

    def line(self, record: Decision) -> tuple[str, str]:
        return PROBES_FILE, record.kind.code

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

    def draw(self, record: Decision) -> Plot:
        kind = record.kind
        shown = [
            _Bar(n, record.number(at), bool(record.can(at)))
            for n, at in enumerate((record.row, column) for column in record.machines)
            if not math.isnan(record.number(at))
        ]
        top = max([kind.least, *(bar.number for bar in shown)])
        full = top * 1.15  # with room for what is written above the bars
        ticks = round_ticks(top) if kind.unit == "share" else None
        return Plot(
            title=_(kind.measures),
            x=PlotAxis(title=_("dashed line: the threshold, {least}").format(
                least=written(kind, kind.least)
            ), categories=[
                name_of(model) + ("" if (record.row, column) in record.found else " ?")
                for column, model in record.machines.items()
            ]),
            y=PlotAxis(
                title=_("share") if kind.unit == "share" else _("tokens"), range=(0.0, full),
                ticks=ticks, labels=[written(kind, one) for one in ticks] if ticks else None,
            ),
            series=[_bars(kind, shown)],
            words=[
                Words(x=bar.place, y=_above(bar.number, kind.least, full),
                      text=written(kind, bar.number))
                for bar in shown
            ],
            rules=[Rule(y=kind.least, role="weight", dash="dash", width=2)],
            height=270,
            fixed=True,
        )  # fmt: skip

    def notes(self, record: Decision) -> Sequence[Note]:
        kind = record.kind
        notes = [Note("more", sentence(
            _("The threshold is {least}: {why}."),
            least=written(kind, kind.least), why=_(kind.why),
        ))]  # fmt: skip
        filler = record.machines.get(FILLER)
        if kind.probe == "chain" and record.can((record.row, FILLER)) and filler:
            notes.append(Note("more", sentence(
                _("Here the decoder of {model} alone is asked, and it can score a text that it "
                  "writes. But in training it writes only the spans that are hidden. That is why "
                  "the page “Ways to train” gives it no probability of the text."),
                model=name_of(filler),
            )))  # fmt: skip
        told: dict[str, None] = {}
        for column, model in record.machines.items():
            found = record.found.get((record.row, column))
            if found is None or not found.said or not kind.shows:
                continue
            words = [shortened(one.strip(), LONGEST) for one in found.said]
            told[_(kind.shows).format(*words, model=name_of(model),
                                      beside=written(kind, found.beside))] = None  # fmt: skip
        told_of = (Note("more", sentence("{said}", said=one)) for one in told)
        return [*notes, *told_of, *_question(record)]

    def controls(self, record: Decision) -> Sequence[Control]:
        at = (record.row, record.column)
        if at not in record.found:
            label = _("Your guess for {model}:").format(model=name_of(record.machines[at[1]]))
            return [Control("guesses", "", "buttons", label=label, buttons=_guesses(record))]
        following = record.next_open()
        buttons = []
        if following is not None:
            sets = dict(zip(("probe", "probed"), map(str, following), strict=True))
            buttons.append(Press(_("Guess the next cell"), sets))
        return [Control("guesses", "", "buttons", label=_("Guesses"), buttons=buttons)]


def _question(record: Decision) -> list[Note]:
    """What the row asks, and whether the guess of the cell that is looked at was right."""
    kind = record.kind
    notes = [Note("question", sentence(
        "{asks} {does}", asks=Mark(_(kind.asks), "strong"), does=_(kind.does),
    ))]  # fmt: skip
    right = record.right((record.row, record.column))
    if right is not None:
        said = _("Your guess for {model} was right.") if right else (
            _("Your guess for {model} was wrong.")
        )  # fmt: skip
        model = name_of(record.machines[record.column])
        reason = _(REASONS[COLUMNS[record.column][0]])
        notes.append(Note("question", join([sentence(said, model=model), sentence(reason)])))
    return notes


def _guesses(record: Decision) -> list[Press]:
    """The two guesses, and what settles the cell, and others that have been guessed."""
    params, at = record.params, (record.row, record.column)
    said, waiting = params.said.get(at, ""), params.guessed
    buttons = [
        Press(label, {"guesses": guess(params, *at, can=can)}, chosen=said == NEED[not can])
        for can, label in ((True, _("It can")), (False, _("It cannot")))
    ]
    settled = {"guesses": settle(params, [at])}
    buttons.append(Press(_("Settle it"), settled, able=bool(said)))
    if len(waiting) > 1:
        label = _("Settle all {n} guesses").format(n=len(waiting))
        buttons.append(Press(label, {"guesses": settle(params, waiting)}))
    return buttons


@dataclass(frozen=True, slots=True)
class _Bar:
    """The number of a machine, where it stands, and what it says."""

    place: int
    number: float
    can: bool


def round_ticks(top: float) -> list[float]:
    """Marks of an axis of shares from 0 to the largest: at most six, at round numbers."""
    step = next((one for one in STEPS if top / one <= 5), STEPS[-1])
    return [n * step for n in range(int(top / step + 1e-9) + 1)]


def _above(number: float, least: float, full: float) -> float:
    """Where the number of a bar stands: above it, and never on the line of the threshold."""
    place = number + full * ABOVE
    return least + full * ABOVE if abs(place - least) < full * ABOVE else place


def _bars(kind: Kind, shown: Sequence[_Bar]) -> BarSeries:
    return BarSeries(
        x=[bar.place for bar in shown],
        y=[bar.number for bar in shown],
        role=["value" if bar.can else "key" for bar in shown],
        name=_(kind.measures),
        text=[_("can") if bar.can else _("cannot") for bar in shown],
        hover="{name}: {y:.4g}\n{text}",
        width=0.6,
    )
