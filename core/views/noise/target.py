"""What the decoder has to write: each sentinel, and behind it what it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components import Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Values
from core.language import _, ngettext
from core.views.noise.spans import OfSpans, Spans
from core.views.noise.written import target_values, written_strip


class SpanTarget(OfSpans):
    """Every token with the probability that the model gives it after the right ones before it."""

    name = "noise.target"

    def values(self, record: Spans) -> Mapping[str, Values]:
        return target_values(record.run.wanted)

    def describe(self, record: Spans) -> Sentence:
        n = len(record.hidden)
        return sentence(
            ngettext("Given the right tokens before it, {k} of {n} hidden token is the model's "
                     "first choice.",
                     "Given the right tokens before each, {k} of {n} hidden tokens are the model's "
                     "first choice.", n),
            k=Mark(str(record.n_found), "accent"), n=str(n),
        )  # fmt: skip

    def draw(self, record: Spans) -> Strip:
        title = _("What the decoder must write, each token with its probability")
        return written_strip(
            record, record.run.wanted, title,
            [record.reading(span) for span in range(len(record.run.spans))],
        )  # fmt: skip
