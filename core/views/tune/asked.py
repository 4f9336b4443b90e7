"""The three heads side by side: what each has right, and what it says of unlabelled sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.labelled_lines import read_lines
from core.language import _
from core.live_training.records import InThreeWays
from core.runs.requests import Request
from core.runs.told import Told
from core.views.tune.learning import NAMES, ROLES, tuning_requests
from core.views.tune.tuning import BODY, Training
from core.views.view import Note, View


class SideBySide(View[Training, InThreeWays]):
    """For each way a bar: sentences learned from, held out, and those that were only asked."""

    name, Params, needs = "tune.asked", Training, BODY

    def requests(self, params: Training) -> tuple[Request, ...]:
        return tuning_requests(params)

    def compute(self, runs: Sequence[Told], params: Training) -> InThreeWays:
        n_held = len(read_lines(params.lines).held)
        return replace(InThreeWays.of(runs[0].records, params.ways), n_held=n_held)

    def values(self, record: InThreeWays) -> Mapping[str, Values]:
        first = next(iter(record.last.values()))
        ways = Along("way", _("what learns"), [_(NAMES[way]) for way in record.ways])
        right = np.full((len(record.ways), 2), np.nan)
        probs = np.full((len(record.ways), len(first.asked), len(first.labels)), np.nan)
        for n, way in enumerate(record.ways):
            if way in record.last:
                now = record.last[way]
                right[n], probs[n] = (now.train, now.held), now.probs
        halves = Along("half", _("sentences"), [_("learned from"), _("held out")])
        asked = Along("asked", _("sentence"), list(first.asked))
        labels = Along("label", _("label"), list(first.labels))
        return {
            "right": Values(_("share of right labels"), right, (ways, halves)),
            "probability": Values(_("probability"), probs, (ways, asked, labels)),
        }

    def describe(self, record: InThreeWays) -> Sentence:
        way, now = max(record.last.items(), key=lambda one: one[1].held)
        return sentence(
            _("So far the best on held-out sentences is: {way}, with {held}."),
            way=Mark(_(NAMES[way]), "strong"),
            held=Mark(percent(now.held), "accent"),
        )

    def notes(self, record: InThreeWays) -> Sequence[Note]:
        """Why a head on the same frozen body is not right equally often on a cut body and here."""
        first = next(iter(record.last.values()))
        said = _("The head above reads the same frozen features, each brought to one scale, and is "
                 "fitted to the end. Here it reads them as they are and takes {steps} steps, so "
                 "the two shares need not be equal. Only {n} sentences are held out, so each "
                 "counts much.")  # fmt: skip
        return (Note("more", sentence(said, steps=str(first.steps), n=str(record.n_held))),)

    def draw(self, record: InThreeWays) -> Bars:
        values = self.values(record)
        right, probs = values["right"].array, values["probability"].array
        first = next(iter(record.last.values()))
        rows = [
            BarRow("train", _("right, learned from")),
            BarRow("held", _("right, held out")),
            *(
                BarRow(f"asked-{n}", _("“{label}”: {text}").format(label=first.labels[0], text=one))
                for n, one in enumerate(first.asked)
            ),
        ]
        bars = np.concatenate([right, probs[:, :, 0]], axis=1)
        return Bars(
            title=_("Right labels, and the probability of a label"),
            frames=[BarFrame(rows)],
            values=bars[None],
            series=[Series(_(NAMES[way]), ROLES[way]) for way in record.ways],
            wide=True,
            given=True,
        )
