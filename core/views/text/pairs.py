"""How often each pair of neighbours stands in the training text, before every merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components import BarFrame, BarRow, Bars, Follow, Stepper
from core.figures.text import Mark, Sentence, join, number, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.text.learning import MergeTraining, PairCount
from core.views.text.tokenizing import ByMerges
from core.views.text.trained import Trained, merge_steps, trained, training_requests
from core.views.view import View


class PairCounts(View[ByMerges, Trained]):
    """A frame of bars for each state."""

    name, Params, needs = "text.pairs", ByMerges, NO_MODEL

    def requests(self, params: ByMerges) -> tuple[Request, ...]:
        return training_requests(params)

    def compute(self, runs: Sequence[MergeTraining[Any]], params: ByMerges) -> Trained:
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
        found = {
            name: Values(label, arrays[name], axes, selected=place)
            for name, label in columns.items()
        }
        if record.scored:
            found["score"] = Values(_("score"), _scores(record), axes, selected=place)
        return found

    def describe(self, record: Trained) -> Sentence:
        return _reading(record, record.step)

    def draw(self, record: Trained) -> Bars:
        states = record.learning.pairs
        return Bars(
            title=_("Pairs of neighbours, highest score first")
            if record.scored
            else _("Pairs of neighbours, most frequent first"),
            selection=record.selection(),
            frames=[_frame(record, step) for step in range(len(states))],
            values=np.nan_to_num(_scores(record))[:, None].astype(np.float32),
            unit="number" if record.scored else "count",
            follow=Follow("merge", first=record.step),
        )

    def steps(self, record: Trained) -> Stepper | None:
        return merge_steps(record)


def _width(record: Trained) -> int:
    """The most pairs that a state has; one at least."""
    return max(1, *(len(pairs) for pairs in record.learning.pairs))


def _scores(record: Trained) -> NDArray[np.float64]:
    """``(states, ranks)`` what the pairs go by; NaN where a state has fewer."""
    found = np.full((len(record.learning.pairs), _width(record)), np.nan)
    for step, pairs in enumerate(record.learning.pairs):
        found[step, : len(pairs)] = [pair.score for pair in pairs]
    return found


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
    title = sentence(
        _("Score of each pair: its count, divided by the counts of both parts")
        if record.scored
        else _("How often pairs of neighbours occur")
    )
    return BarFrame(rows, title=title, alt=said, note="" if pairs else said)


def _reading(record: Trained, step: int) -> Sentence:
    pairs = record.learning.pairs[step]
    if not pairs:
        return sentence(_("No pair is left to merge: every word is one symbol."))
    best = pairs[0]
    if record.scored:
        return _scored(record, step)
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


def _scored(record: Trained, step: int) -> Sentence:
    """What WordPiece joins next, and what byte-pair encoding would."""
    best, rival = record.learning.pairs[step][0], record.learning.rivals[step]
    said = [
        sentence(
            _("Counts: “{a}” {left}, “{b}” {right}, both side by side {count}. The score is "
              "{count}/({left} × {right}) = {score}, the highest."),
            **_names(record, best), **_counts(best),
        )
    ]  # fmt: skip
    if rival is not None and (rival.left, rival.right) != (best.left, best.right):
        said.append(
            sentence(
                _("Byte-pair encoding would merge the most frequent pair, “{a}” and “{b}”: count "
                  "{count}, score {score}."),
                **_names(record, rival), **_counts(rival),
            )
        )  # fmt: skip
    return join(said)


def _names(record: Trained, pair: PairCount) -> dict[str, Mark]:
    return {
        "a": Mark(record.label(pair.left), "strong"), "b": Mark(record.label(pair.right), "strong")
    }  # fmt: skip


def _counts(pair: PairCount) -> dict[str, Mark]:
    left, right = pair.alone or (0, 0)
    return {
        "left": Mark(str(left), "plain"), "right": Mark(str(right), "plain"),
        "count": Mark(str(pair.count), "accent"), "score": Mark(number(pair.score), "accent"),
    }  # fmt: skip
