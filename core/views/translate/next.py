"""After each token of the target: which word the model expects next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.views.translate.translation import N_WORDS, OfTranslation, Translation


class Next(OfTranslation):
    """The likeliest next tokens."""

    name = "translate.next"

    def values(self, record: Translation) -> Mapping[str, Values]:
        after = Along("token", _("token"), tokens.labels(record.target.units))
        axes = (after, Along("rank", _("rank"), [str(i) for i in range(N_WORDS)]))
        words = [[token.label for token in row] for row in record.words]
        best = (record.at, 0)
        return {
            "word": Values(_("next token"), np.array(words, object), axes, selected=best),
            "probability": Values(_("probability"), record.probs, axes, selected=best),
        }

    def describe(self, record: Translation) -> Sentence:
        return record.reading(record.at)

    def site(self, record: Translation) -> str:
        return record.blueprint.head.site

    def facts(self, record: Translation) -> Sequence[str]:
        sides = (
            ngettext("{n} token", "{n} tokens", n).format(n=n)
            for n in (len(record.source.units), len(record.target.units))
        )
        ms = f"{record.trace.seconds * 1e3:.0f}"
        return " → ".join(sides), _("ran in {ms} ms").format(ms=ms)

    def draw(self, record: Translation) -> Bars:
        ids = record.target.ids
        frames = [
            BarFrame(
                [
                    BarRow(str(word.id), word.label, role="accent",
                           chosen=word.id == following or None)
                    for word in words
                ],
                title=sentence(_("After “{token}”"), token=Mark(token.spoken, "query")),
            )
            for token, words, following in zip(
                record.target.tokens, record.words, [*ids[1:], None], strict=True
            )
        ]  # fmt: skip
        return Bars(
            title=_("The next word of the target"),
            selection=record.selection(),
            frames=frames,
            values=record.probs[:, None, :],
            follow=Follow("token", first=record.at),
        )
