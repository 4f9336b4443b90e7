"""The target as the decoder reads it, each token with the probability the model gave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.language import _, name_of, ngettext
from core.views.translate.chain import text_of
from core.views.translate.translation import OfTranslation, Translation
from core.views.view import Note


class Target(OfTranslation):
    """What the decoder reads, or has written."""

    name = "translate.target"

    def values(self, record: Translation) -> Mapping[str, Values]:
        along = (Along("token", _("token"), tokens.labels(record.target.units)),)
        ranks = np.array([None if rank < 0 else int(rank) for rank in record.ranks], object)
        return {
            "probability": Values(_("probability"), record.given, along, selected=(record.at,)),
            "rank": Values(_("tokens more likely"), ranks, along),
            "ends": Values(_("probability that it ends here"), record.ends, along),
        }

    def describe(self, record: Translation) -> Sentence:
        return record.reading(record.at)

    def draw(self, record: Translation) -> Strip:
        about = _("Target, as the decoder of {model} reads it, each token with its probability")
        if record.target.written:
            about = _("Target, written by {model}, each token with its probability")
        return Strip(
            title=_("The target"),
            selection=record.selection(),
            name=_("Target"),
            tokens=[
                tokens.chip(token, born=record.target.written and not token.special)
                for token in record.target.tokens
            ],
            default=record.at,
            heading=sentence(about, model=name_of(record.trace.model)),
            heat=record.given,
            heat_role="accent",
            heat_limit=1.0,
            heat_unit="share",
            clears=("key",),  # the source token that one looks at is no other one's
            readings=[record.reading(at) for at in range(len(record.target.tokens))],
        )

    def notes(self, record: Translation) -> Sequence[Note]:
        """The two sentences in a line, and into how many tokens both sides are cut."""
        n, written = (
            sum(not one.special for one in side.units) for side in (record.source, record.target)
        )
        said = ngettext(
            "This source was cut into {n} token, and the target has {written}.",
            "This source was cut into {n} tokens, and the target has {written}.",
            n,
        )
        cut = Note("question", sentence(said, n=str(n), written=str(written)))
        return (Note("more", _both(record)), cut)


def _both(record: Translation) -> Sentence:
    """What a model makes of a sentence; of a target that was given, that it reads it."""
    said = _("{model} reads “{source}” and, so far, “{target}”")
    if record.target.written:
        said = _("{model} translates “{source}” as “{target}”")
    target = Mark(text_of(record.target.tokens), "strong")
    return sentence(said, model=name_of(record.trace.model), source=record.run.text, target=target)
