"""What the model writes by itself, token after token."""

from __future__ import annotations

from collections.abc import Mapping

from core.figures.components import Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Values
from core.language import _, ngettext
from core.views.noise.spans import OfSpans, Spans
from core.views.noise.written import target_values, written_strip


class Filled(OfSpans):
    """Greedily, until it ends the text or its room does."""

    name = "noise.filled"

    def values(self, record: Spans) -> Mapping[str, Values]:
        return target_values(record.run.written)

    def describe(self, record: Spans) -> Sentence:
        n = len(record.run.spans)
        return sentence(
            ngettext("By itself the model writes {k} of {n} span as it was.",
                     "By itself the model writes {k} of {n} spans as they were.", n),
            k=Mark(str(record.n_exact), "accent"), n=str(n),
        )  # fmt: skip

    def site(self, record: Spans) -> str:
        return record.run.site

    def draw(self, record: Spans) -> Strip:
        title = _("What the model writes by itself, each token with its probability")
        return written_strip(record, record.run.written, title)
