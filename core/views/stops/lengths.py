"""BLEU by the length of the source, and how sure it is: recorded, as it takes minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.bleu import Counts, bleu, interval
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.text import Mark, Sentence, decimal, join, sentence
from core.figures.values import Along, Values
from core.language import _, name_of
from core.measured import BY_LENGTH, measured
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.views.stops.looks import looks
from core.views.stops.walk import Walking
from core.views.view import Note, View

STARTS = (1, 4, 6, 8, 10, 12, 15, 18, 21)  # words of the source with which a bin begins
APART = 0.07  # between the machines' intervals, on the axis


@dataclass(frozen=True, eq=False)
class ByLength:
    """What was measured.

    Attributes:
        machines: their ids, in the order of the walk; of those that are asked for the
            measured, and all where none of them was.
        n: ``(B,)`` pairs in each bin.
        scores: ``(M, B)`` BLEU.
        low, high: ``(M, B)``: the ends of its 95 % intervals.
        command, commit: that measured it.
    """

    machines: tuple[str, ...]
    n: NDArray[np.int64]
    scores: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    command: str
    commit: str

    def lost(self, at: int) -> float:
        """BLEU of the shortest sentences minus that of the longest."""
        return float(self.scores[at, 0] - self.scores[at, -1])

    def falls(self, at: int) -> bool:
        """Whether that loss is beyond doubt: the two intervals do not meet."""
        return bool(self.high[at, -1] < self.low[at, 0])


@lru_cache(maxsize=8)
def by_length(machines: tuple[str, ...]) -> ByLength:
    """The scores of some machines, from what was recorded of each sentence."""
    found = measured(BY_LENGTH)
    every = found["models"]
    known = tuple(one for one in machines if one in every) or tuple(every)
    words, wanted = np.array(found["words"]), np.array(found["wanted"])
    bins = np.searchsorted(STARTS, words, side="right") - 1
    scores = np.full((len(known), len(STARTS), 3), np.nan)
    for m, model in enumerate(known):
        rows = np.array(found["models"][model]["counts"])
        counts = Counts(rows[:, 1:], rows[:, 0], wanted)
        for b in range(len(STARTS)):
            own = counts.only(bins == b)
            scores[m, b] = (bleu(own), *interval(own))
    n = np.bincount(bins, minlength=len(STARTS))
    said: dict[str, Any] = {name: found[name] for name in ("command", "commit")}
    return ByLength(known, n, scores[..., 0], scores[..., 1], scores[..., 2], **said)


class Lengths(View[Walking, ByLength]):
    """A line for each machine, with an interval at each length."""

    name, Params, needs = "stops.lengths", Walking, NO_MODEL

    def requests(self, params: Walking) -> tuple[Request, ...]:
        return ()

    def compute(self, runs: Sequence[Any], params: Walking) -> ByLength:
        return by_length(params.machines)

    def values(self, record: ByLength) -> Mapping[str, Values]:
        axes = (
            Along("machine", _("machine"), [name_of(one) for one in record.machines]),
            Along("words", _("words of the source"), bins()),
        )
        return {
            "bleu": Values(_("BLEU"), record.scores, axes),
            "low": Values(_("BLEU, lower end of the 95 % interval"), record.low, axes),
            "high": Values(_("BLEU, upper end of the 95 % interval"), record.high, axes),
            "pairs": Values(_("sentence pairs"), record.n, axes[1:]),
        }

    def describe(self, record: ByLength) -> Sentence:
        first, last = 0, len(record.machines) - 1
        said = [self.fall(record, at) for at in dict.fromkeys((first, last))]
        if first != last and not record.falls(first):
            said.append(sentence(_("So these sentences do not settle whether the fixed state "
                                   "falls off with length.")))  # fmt: skip
        elif first != last:
            lost = [round(record.lost(at), 1) for at in (first, last)]
            said.append(sentence(
                _("The first loses {first} BLEU with length, the second {second}: {more} more."),
                first=decimal(lost[0], 1), second=decimal(lost[1], 1),
                more=Mark(decimal(lost[0] - lost[1], 1), "strong"),
            ))  # fmt: skip
        return join(said)

    def fall(self, record: ByLength, at: int) -> Sentence:
        """What a machine has at either end."""
        names = bins()
        return sentence(
            _("{model} has {short} BLEU on sources of {few} words and {long} on those of {many}."),
            model=Mark(name_of(record.machines[at]), "strong"),
            short=decimal(float(record.scores[at, 0]), 1), few=names[0],
            long=Mark(decimal(float(record.scores[at, -1]), 1), "accent"), many=names[-1],
        )  # fmt: skip

    def draw(self, record: ByLength) -> Plot:
        series = []
        middle = (len(record.machines) - 1) / 2
        for at, model in enumerate(record.machines):
            places = np.arange(len(STARTS)) + (at - middle) * APART
            series.append(Curve(
                x=places, y=record.scores[at], name=name_of(model), markers=6,
                text=[_("{words} words, {n} pairs, 95 % between {low} and {high}").format(
                    words=words, n=n, low=decimal(low, 1), high=decimal(high, 1))
                    for words, n, low, high in zip(
                        bins(), record.n, record.low[at], record.high[at], strict=True)],
                hover="{name}: {y:.1f}\n{text}", **looks(at),
            ))  # fmt: skip
            series.append(Curve(
                x=np.repeat(places, 3), y=_upright(record.low[at], record.high[at]),
                role=looks(at)["role"], width=1, legend=False,
            ))  # fmt: skip
        return Plot(
            title=_("BLEU by the length of the source, with 95 % intervals"),
            x=PlotAxis(title=_("words of the source"), categories=bins()),
            y=PlotAxis(title=_("BLEU"), from_zero=True),
            series=series,
            height=430,
        )

    def notes(self, record: ByLength) -> Sequence[Note]:
        said = sentence(
            _("Recorded by {command} at commit {commit}, from {n} pairs that no machine has read. "
              "The intervals are of 1,000 draws of as many sentences (bootstrap)."),
            command=record.command, commit=record.commit, n=str(int(record.n.sum())),
        )  # fmt: skip
        return (Note("more", said),)


def bins() -> list[str]:
    """The lengths in words: "4–5", "21+"."""
    ends = [one - 1 for one in STARTS[1:]]
    closed = [f"{low}–{high}" for low, high in zip(STARTS, ends, strict=False)]
    return [*closed, f"{STARTS[-1]}+"]


def _upright(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lines from each lower end to its upper end, with gaps between them."""
    return np.stack([low, high, np.full_like(low, np.nan)], axis=1).ravel()
