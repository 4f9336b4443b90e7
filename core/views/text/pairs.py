"""How often each pair of neighbours stands in the training text, before every merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars, Follow, Stepper
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.text.learning import BPETraining
from core.views.text.tokenizing import Tokenizing
from core.views.text.trained import Trained, merge_steps, trained, training_requests
from core.views.view import View, register


@register
class PairCounts(View[Tokenizing, Trained]):
    """A frame of bars for each state."""

    name, Params, needs = "text.pairs", Tokenizing, NO_MODEL

    def requests(self, params: Tokenizing) -> tuple[Request, ...]:
        return training_requests(params)

    def compute(self, runs: Sequence[BPETraining], params: Tokenizing) -> Trained:
        return trained(runs, params)

    def values(self, record: Trained) -> Mapping[str, Values]:
        states, wide = record.learning.pairs, _width(record)
        axes = (record.states, Along("rank", _("rank"), [str(at) for at in range(wide)]))
        columns = {"left": _("left"), "right": _("right"), "count": _("count")}
        arrays = {name: np.full((len(states), wide), None, object) for name in columns}
        for step, pairs in enumerate(states):
            for at, pair in enumerate(pairs):
                arrays["left"][step, at] = record.label(pair.left)
                arrays["right"][step, at] = record.label(pair.right)
                arrays["count"][step, at] = pair.count
        place = (record.step, 0)
        return {
            name: Values(label, arrays[name], axes, selected=place)
            for name, label in columns.items()
        }

    def describe(self, record: Trained) -> Sentence:
        return _reading(record, record.step)

    def show(self, record: Trained) -> Bars:
        states = record.learning.pairs
        counts = np.zeros((len(states), 1, _width(record)), np.float32)
        for step, pairs in enumerate(states):
            counts[step, 0, : len(pairs)] = [pair.count for pair in pairs]
        return Bars(
            title=_("Pairs of neighbours, most frequent first"),
            alt=str(self.describe(record)),
            selection=record.selection(),
            frames=[_frame(record, step) for step in range(len(states))],
            values=counts,
            unit="count",
            follow=Follow("merge", first=record.step),
        )

    def steps(self, record: Trained) -> Stepper | None:
        return merge_steps(record)


def _width(record: Trained) -> int:
    """The most pairs that a state has; one at least."""
    return max(1, *(len(pairs) for pairs in record.learning.pairs))


def _frame(record: Trained, step: int) -> BarFrame:
    """The pairs of a state; the first one is merged next."""
    pairs, said = record.learning.pairs[step], str(_reading(record, step))
    rows = [
        BarRow(
            f"{pair.left} {pair.right}",
            f"{record.label(pair.left)} + {record.label(pair.right)}",
            chosen=not at and step < record.n_merges,
        )
        for at, pair in enumerate(pairs)
    ]
    title = sentence(_("How often pairs of neighbours occur"))
    return BarFrame(rows, title=title, alt=said, note="" if pairs else said)


def _reading(record: Trained, step: int) -> Sentence:
    pairs = record.learning.pairs[step]
    if not pairs:
        return sentence(_("No pair is left to merge: every word is one symbol."))
    best = pairs[0]
    return sentence(
        ngettext(
            "“{a}” and “{b}” are neighbours {count} time. No other pair is more frequent, so "
            "they are merged next.",
            "“{a}” and “{b}” are neighbours {count} times. No other pair is more frequent, so "
            "they are merged next.",
            best.count,
        )
        if step < record.n_merges
        else _("“{a}” and “{b}”, {count} times, would be merged next."),
        a=Mark(record.label(best.left), "strong"),
        b=Mark(record.label(best.right), "strong"),
        count=Mark(str(best.count), "accent"),
    )
