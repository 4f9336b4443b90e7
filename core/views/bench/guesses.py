"""What the machine predicts at one position, broken and healthy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.bench.run import ROLES, Broken, OfBench, OfSides

BEST = 4  # of each run


class GuessesOfSides(OfSides):
    """A bar for each run that may be seen, and each of their best guesses."""

    def values(self, record: Broken) -> Mapping[str, Values]:
        ids = _best(record)
        labels = [record.word(one).label for one in ids]
        axes = (
            Along("run", _("run"), [record.called(side) for side in record.sides]),
            Along("guess", _("guess"), labels),
        )
        shares = np.array([record.probs(side)[ids] for side in record.sides])
        found = {"probability": Values(_("probability"), shares, axes, selected=(0, 0))}
        if "healthy" in record.sides:
            moved = np.array(record.moved())
            found["moved"] = Values(_("share of the probability that is elsewhere"), moved)
        return found

    def describe(self, record: Broken) -> Sentence:
        said = [_first(record, side) for side in record.sides]
        if "healthy" in record.sides:
            said.append(sentence(
                _("{share} of the probability is elsewhere than in the healthy machine."),
                share=Mark(percent(record.moved()), "strong"),
            ))  # fmt: skip
        return join(said)

    def draw(self, record: Broken) -> Bars:
        ids = _best(record)
        shares = np.array([record.probs(side)[ids] for side in record.sides])
        title = _title(record)
        return Bars(
            title=title,
            selection=record.selection(),
            frames=[BarFrame(
                [BarRow(str(one), record.word(one).label) for one in ids],
                title=sentence("{title}", title=title),
            )],
            values=shares[None],
            series=[Series(record.called(side), ROLES[side]) for side in record.sides],
            wide=True,
            stacked=True,
        )  # fmt: skip


class BenchGuesses(OfBench, GuessesOfSides):
    """Those of the fault that is chosen."""

    name = "bench.guesses"


def _best(record: Broken) -> list[int]:
    """The best guesses of every run that may be seen, those of the broken one first."""
    found: list[int] = []
    for side in record.sides:
        order = np.argsort(-record.probs(side), kind="stable")[:BEST]
        found += [int(one) for one in order]
    return list(dict.fromkeys(found))


def _title(record: Broken) -> str:
    trace = record.broken.trace
    units = trace.streams[trace.blueprint.stream].units
    if trace.blueprint.head.ability == "next_token" or len(trace.blueprint.streams) > 1:
        template = _("Predictions after “{token}”")
    else:
        template = _("Predictions at “{token}”")
    return template.format(token=units[record.at].spoken)


def _first(record: Broken, side: str) -> Sentence:
    """The best guess of a run."""
    probs = record.probs(side)
    best = int(probs.argmax())
    templates = {
        "broken": _("The broken machine expects “{token}”, with {share}."),
        "healthy": _("The healthy one expects “{token}”, with {share}."),
        "again": _("Run again, the broken one expects “{token}”, with {share}."),
    }
    return sentence(
        templates[side],
        token=Mark(record.word(best).spoken, ROLES[side]),
        share=Mark(percent(float(probs[best])), ROLES[side]),
    )
