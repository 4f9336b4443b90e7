"""Labelled sentences before anything is learned from them: how many there are of each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.labelled_lines import Lines, read_lines
from core.language import _
from core.models.needs import NO_MODEL
from core.views.tune.tuning import Tuning
from core.views.view import View


class Labelled(View[Tuning, Lines]):
    """For each label two bars: sentences that are learned from, and held out."""

    name, Params, needs = "tune.sentences", Tuning, NO_MODEL

    def compute(self, _runs: Sequence[object], params: Tuning) -> Lines:
        return read_lines(params.lines)

    def values(self, record: Lines) -> Mapping[str, Values]:
        halves = Along("half", _("sentences"), [_("learned from"), _("held out")])
        each = [Counter(line.label for line in half) for half in (record.train, record.held)]
        counts = np.array([[one[label] for label in record.labels] for one in each])
        labels = Along("label", _("label"), list(record.labels))
        return {"count": Values(_("sentences"), counts, (halves, labels))}

    def describe(self, record: Lines) -> Sentence:
        return sentence(
            _("{train} sentences to learn from, {held} held out, {asked} only asked about. Labels: "
              "{labels}"),
            train=str(len(record.train)), held=str(len(record.held)),
            asked=str(len(record.asked)), labels=", ".join(record.labels),
        )  # fmt: skip

    def draw(self, record: Lines) -> Bars:
        counts = self.values(record)["count"].array.astype(float)
        rows = [BarRow(str(n), label) for n, label in enumerate(record.labels)]
        return Bars(
            title=_("Sentences of each label"),
            frames=[BarFrame(rows)],
            values=counts[None],
            series=[Series(_("learned from"), "residual"), Series(_("held out"), "accent")],
            unit="count",
            given=True,
        )
