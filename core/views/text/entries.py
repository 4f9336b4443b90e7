"""The entries of a unigram vocabulary in each round: how probable, and what the text would lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars, Follow, Stepper
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.text.unigram_learning import Entry, Round, UnigramTraining
from core.views.text.rounds import Rounds, round_steps, rounds, rounds_requests
from core.views.text.tokenizing import ByPieces, learned_from
from core.views.text.unigram import piece_label
from core.views.view import Note, View

SHOWN = 12  # entries of a round
NOTHING = 1e-4  # bits; what loses less is said to lose next to nothing


class Probabilities(View[ByPieces, Rounds]):
    """A frame of bars for each round: the most probable entries."""

    name, Params, needs = "text.entries", ByPieces, NO_MODEL

    def requests(self, params: ByPieces) -> tuple[Request, ...]:
        return rounds_requests(params)

    def compute(self, runs: Sequence[UnigramTraining], params: ByPieces) -> Rounds:
        return rounds(runs, params)

    def values(self, record: Rounds) -> Mapping[str, Values]:
        axes, wide = _axes(record)
        found = [one.entries for one in record.all]
        return {
            "piece": Values(
                _("entry"), _table([[piece_label(e.piece) for e in es] for es in found], wide), axes
            ),
            "probability": Values(
                _("probability"), _numbers([[e.probability for e in es] for es in found], wide),
                axes, selected=(record.at, 0),
            ),
            "expected": Values(
                _("expected count"), _numbers([[e.expected for e in es] for es in found], wide),
                axes,
            ),
            "n_entries": Values(
                _("entries"), np.array([len(es) for es in found]), (record.states,),
                selected=(record.at,),
            ),
            "bits": Values(
                _("bits of the text"), np.array([one.bits[-1] for one in record.all]),
                (record.states,), selected=(record.at,),
            ),
        }  # fmt: skip

    def describe(self, record: Rounds) -> Sentence:
        return _probable(record, record.at)

    def draw(self, record: Rounds) -> Bars:
        values = np.zeros((len(record.all), 1, SHOWN), np.float32)
        for n, one in enumerate(record.all):
            top = [entry.probability for entry in one.entries[:SHOWN]]
            values[n, 0, : len(top)] = top
        title = _("Most probable entries")
        return Bars(
            title=title,
            selection=record.selection(),
            frames=[
                _frame(one.entries[:SHOWN], title, _probable(record, n))
                for n, one in enumerate(record.all)
            ],
            values=values,
            follow=Follow("round", first=record.at),
        )

    def notes(self, record: Rounds) -> Sequence[Note]:
        return learned_from(record.params, record.learning)

    def steps(self, record: Rounds) -> Stepper | None:
        return round_steps(record)


class Losses(View[ByPieces, Rounds]):
    """A frame of bars for each round: the entries that the text would miss least."""

    name, Params, needs = "text.losses", ByPieces, NO_MODEL

    def requests(self, params: ByPieces) -> tuple[Request, ...]:
        return rounds_requests(params)

    def compute(self, runs: Sequence[UnigramTraining], params: ByPieces) -> Rounds:
        return rounds(runs, params)

    def values(self, record: Rounds) -> Mapping[str, Values]:
        found = [_by_loss(one) for one in record.all]
        wide = max(1, *map(len, found))
        axes = (record.states, Along("rank", _("rank"), [str(at) for at in range(wide)]))
        gone = [sum(not entry.kept for entry in one.entries) for one in record.all]
        return {
            "piece": Values(
                _("entry"), _table([[piece_label(e.piece) for e in es] for es in found], wide), axes
            ),
            "loss": Values(
                _("bits without it"), _numbers([[e.loss or 0.0 for e in es] for es in found], wide),
                axes, selected=(record.at, 0),
            ),
            "kept": Values(
                _("kept"), _table([[int(e.kept) for e in es] for es in found], wide), axes
            ),
            "n_removed": Values(_("removed"), np.array(gone), (record.states,),
                                selected=(record.at,)),
        }  # fmt: skip

    def describe(self, record: Rounds) -> Sentence:
        return _cheapest(record, record.at)

    def draw(self, record: Rounds) -> Bars:
        title = _("Bits that the text would be longer without an entry, smallest first")
        values = np.zeros((len(record.all), 1, SHOWN), np.float32)
        frames = []
        for n, one in enumerate(record.all):
            listed = _around(_by_loss(one))
            values[n, 0, : len(listed)] = [entry.loss or 0.0 for entry in listed]
            frames.append(_frame(listed, title, _cheapest(record, n), removed=True))
        return Bars(
            title=title,
            selection=record.selection(),
            frames=frames,
            values=values,
            unit="number",
            follow=Follow("round", first=record.at),
        )

    def steps(self, record: Rounds) -> Stepper | None:
        return round_steps(record)


def _axes(record: Rounds) -> tuple[tuple[Along, Along], int]:
    wide = max(1, *(len(one.entries) for one in record.all))
    return (record.states, Along("rank", _("rank"), [str(at) for at in range(wide)])), wide


def _table(lines: Sequence[Sequence[object]], wide: int) -> np.ndarray:
    return np.array([[*line, *[None] * (wide - len(line))] for line in lines], object)


def _numbers(lines: Sequence[Sequence[float]], wide: int) -> np.ndarray:
    return np.array([[*line, *[np.nan] * (wide - len(line))] for line in lines], np.float64)


def _by_loss(one: Round) -> list[Entry]:
    """The entries that may go, the one that costs least first."""
    found = [entry for entry in one.entries if entry.loss is not None]
    return sorted(found, key=lambda entry: (entry.kept, entry.loss or 0.0, entry.piece))


def _around(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Those on both sides of the line between what goes and what stays."""
    gone = sum(not entry.kept for entry in entries)
    start = max(0, min(gone - SHOWN // 2, len(entries) - SHOWN))
    return entries[start : start + SHOWN]


def _frame(
    entries: Sequence[Entry], title: str, said: Sentence, *, removed: bool = False
) -> BarFrame:
    rows = [
        BarRow(
            entry.piece,
            piece_label(entry.piece) + ("" if entry.kept or not removed else "  ✕"),
            role=None if entry.kept or not removed else "key",
        )
        for entry in entries
    ]
    return BarFrame(
        rows,
        title=sentence("{title}", title=title),
        alt=str(said),
        note=str(said) if removed or not rows else None,
    )


def _probable(record: Rounds, n: int) -> Sentence:
    one = record.all[n]
    if not one.entries:
        return sentence(_("There is nothing to learn from."))
    best = one.entries[0]
    return sentence(
        _("Round {n}: “{piece}” is the most probable of {entries} entries, with {share}. It is "
          "expected {expected} times in the text."),
        n=str(n),
        piece=Mark(piece_label(best.piece), "strong"),
        entries=grouped(len(one.entries)),
        share=Mark(percent(best.probability), "accent"),
        expected=number(best.expected),
    )  # fmt: skip


def _cheapest(record: Rounds, n: int) -> Sentence:
    entries = _by_loss(record.all[n])
    if not entries:
        return sentence(_("Only letters are left. They always stay, so that any word can be cut."))
    best = entries[0]
    template = (
        _("Round {n}: {kept} entries of several letters stay. The cheapest of them is “{piece}”: "
          "without it the text would be {loss} bits longer.")
        if best.kept
        else _("Round {n}: {gone} entries go, {kept} entries of several letters stay. Without "
               "“{piece}” the text would be only {loss} bits longer.")
    )  # fmt: skip
    gone = sum(not entry.kept for entry in entries)
    said = sentence(
        template,
        n=str(n),
        gone=Mark(grouped(gone), "warning"),
        kept=Mark(grouped(len(entries) - gone), "accent"),
        piece=Mark(piece_label(best.piece), "strong"),
        loss=Mark(number(best.loss or 0.0, 2), "accent"),
    )
    if (entries[max(0, gone - 1)].loss or 0.0) >= NOTHING:
        return said
    unused = _(
        "Such a small loss means that expectation maximisation no longer uses the entry: other "
        "entries write the same letters."
    )
    return join([said, sentence(unused)])
