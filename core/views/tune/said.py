"""What a head on the layer of the cut says of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.live_training.records import Cuts
from core.locale import in_quotes
from core.runs.requests import Request
from core.views.tune.layers import Cut, cut_requests
from core.views.tune.tuning import BODY, Cutting
from core.views.view import View


class SaidOfText(View[Cutting, Cut]):
    """A bar for each label."""

    name, Params, needs = "tune.said", Cutting, BODY

    def requests(self, params: Cutting) -> tuple[Request, ...]:
        return cut_requests(params)

    def compute(self, runs: Sequence[Cuts], params: Cutting) -> Cut:
        return Cut(runs[0], params)

    def values(self, record: Cut) -> Mapping[str, Values]:
        labels = Along("label", _("label"), list(record.cuts.labels))
        best = int(record.cuts.probs[record.kept].argmax())
        return {
            "probability": Values(
                _("probability"), record.cuts.probs, (record.along, labels),
                selected=(record.kept, best),
            )
        }  # fmt: skip

    def describe(self, record: Cut) -> Sentence:
        shares = record.cuts.probs[record.kept]
        best = int(shares.argmax())
        return sentence(
            ngettext(
                "The head after {kept} layer calls your text {label}, with {share}.",
                "The head after {kept} layers calls your text {label}, with {share}.",
                record.kept,
            ),
            kept=str(record.kept),
            label=Mark(in_quotes(record.cuts.labels[best]), "strong"),
            share=Mark(percent(float(shares[best])), "accent"),
        )

    def draw(self, record: Cut) -> Bars:
        shares = record.cuts.probs[record.kept]
        rows = [
            BarRow(str(n), label, chosen=n == int(shares.argmax()))
            for n, label in enumerate(record.cuts.labels)
        ]
        title = _("Your text: probability of each label")
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence("{title}", title=title))],
            short=True,
            values=shares.reshape(1, 1, -1),
            given=True,
        )
