"""The text with the spans that are cut out, each in its colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.text.marks import MASK
from core.views.noise.spans import OfSpans, Spans, chip, strip_of
from core.views.view import Note


class WholeText(OfSpans):
    """What stood there before."""

    name = "noise.text"

    def values(self, record: Spans) -> Mapping[str, Values]:
        labels = tokens.labels(record.run.tokens)
        axes = (Along("position", _("position"), [str(at) for at in range(len(labels))]),)
        groups = [np.nan if group is None else group for group in _groups(record)]
        return {
            "token": Values(_("token"), np.array(labels, object), axes),
            "span": Values(_("span"), np.array(groups), axes),
        }

    def describe(self, record: Spans) -> Sentence:
        n, k = int(record.run.hidden.sum()), len(record.run.spans)
        return sentence(
            ngettext("{n} of {all} tokens are hidden, {share}, in {k} span.",
                     "{n} of {all} tokens are hidden, {share}, in {k} spans.", k),
            n=Mark(str(n), "accent"), all=str(len(record.run.tokens)),
            share=percent(n / len(record.run.tokens)), k=Mark(str(k), "accent"),
        )  # fmt: skip

    def draw(self, record: Spans) -> Strip:
        title = _("The text, and the spans that are cut out")
        pairs = zip(record.run.tokens, _groups(record), strict=True)
        chips = [chip(token, group, ()) for token, group in pairs]
        cut = tokens.cut_text(record.run.cut)
        return strip_of(record, title, chips, cut=cut, compact=True)

    def facts(self, record: Spans) -> Sequence[str]:
        return record.model, _("ran in {ms} ms").format(ms=f"{record.run.seconds * 1e3:.0f}")

    def notes(self, record: Spans) -> Sequence[Note]:
        return typed_marks(record.run.text)


def _groups(record: Spans) -> list[int | None]:
    """The span of each token of the text; None for what stays visible."""
    found: list[int | None] = [None] * len(record.run.tokens)
    for n, (start, end) in enumerate(record.run.spans):
        found[start:end] = [n] * (end - start)
    return found


def typed_marks(text: str) -> Sequence[Note]:
    """That a mark which was typed hides nothing here."""
    if MASK not in text:
        return ()
    said = _("{mask} in your text is read letter by letter here. This page hides words by itself: "
             "type the whole text.")  # fmt: skip
    return (Note("info", sentence(said, mask=MASK)),)
