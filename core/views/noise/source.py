"""What the encoder reads: the text with a sentinel in place of each span."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.runs.mended import Mended
from core.views.noise.spans import OfSpans, Spans, chip, strip_of


class SpanSource(OfSpans):
    """One mark a span, however long that was."""

    name = "noise.source"

    def values(self, record: Spans) -> Mapping[str, Values]:
        return shown_values(record.run)

    def describe(self, record: Spans) -> Sentence:
        return sentence(
            ngettext("The encoder reads {n} tokens: {k} sentinel stands for what is hidden.",
                     "The encoder reads {n} tokens: {k} sentinels stand for what is hidden.",
                     len(record.run.spans)),
            n=Mark(str(len(record.run.shown)), "strong"),
            k=Mark(str(len(record.run.spans)), "accent"),
        )  # fmt: skip

    def draw(self, record: Spans) -> Strip:
        pairs = zip(record.run.shown, _groups(record), strict=True)
        chips = [chip(token, group, record.run.marks) for token, group in pairs]
        return strip_of(record, _("What the encoder reads"), chips, compact=True)


def _groups(record: Spans) -> list[int | None]:
    """The span that each mark stands for; None for tokens of the text."""
    found: list[int | None] = []
    n = 0
    for token, at in zip(record.run.shown, record.run.origin, strict=True):
        mark = at < 0 and token.id in record.run.marks
        found.append(n if mark else None)
        n += int(mark)
    return found


def shown_values(run: Mended) -> Mapping[str, Values]:
    """The tokens that the encoder reads, and where each stood in the text."""
    labels = tokens.labels(run.shown)
    axes = (Along("position", _("position"), [str(at) for at in range(len(labels))]),)
    stood = np.where(run.origin >= 0, run.origin.astype(np.float64), np.nan)
    return {
        "token": Values(_("token"), np.array(labels, object), axes),
        "stood": Values(_("position in the text"), stood, axes),
    }
