"""The damaged text as the model writes it by itself, and what of it stood in the text."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.views.noise.damage import Damage, OfDamage
from core.views.noise.written import LONG


class Rewritten(OfDamage):
    """Greedily; what does not stand in the text is marked."""

    name = "noise.rewritten"

    def values(self, record: Damage) -> Mapping[str, Values]:
        written = record.run.written
        n = len(written.tokens)
        axes = (Along("token", _("token"), [str(at) for at in range(n)]),)
        stood = np.where(record.places >= 0, record.places.astype(np.float64), np.nan)
        share = record.restored.mean() if record.moves else _hidden(record)
        return {
            "token": Values(_("token"), np.array(tokens.labels(written.tokens), object), axes),
            "probability": Values(_("probability"), written.probs, axes),
            "stands": Values(_("position in the text"), stood, axes),
            "restored": Values(
                _("share of the tokens in their order") if record.moves
                else _("share of the hidden tokens that it writes"),
                np.array(float(share)),
            ),
        }  # fmt: skip

    def describe(self, record: Damage) -> Sentence:
        n, total = record.n_hidden, len(record.run.tokens)
        whole = sentence(
            ngettext("By itself the model writes {k} of the {n} token, in order.",
                     "By itself the model writes {k} of the {n} tokens, in order.", total),
            k=Mark(str(int(record.restored.sum())), "accent"), n=str(total),
        )  # fmt: skip
        if not n:
            return whole
        hidden = sentence(
            ngettext("Of the {n} hidden token it writes {k}.",
                     "Of the {n} hidden tokens it writes {k}.", n),
            k=Mark(str(int(record.restored[record.run.hidden].sum())), "accent"), n=str(n),
        )  # fmt: skip
        return join([whole, hidden])

    def draw(self, record: Damage) -> Strip:
        title = _("What the model writes by itself")
        written, hidden = record.run.written, record.run.hidden
        pairs = zip(written.tokens, record.places.tolist(), strict=True)
        # A token that stands in the text is selected with its place there.
        chips = [tokens.chip(token, group=at if at >= 0 else None) for token, at in pairs]
        other = [at for at, place in enumerate(record.places)
                 if place < 0 and not written.tokens[at].special]  # fmt: skip
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=chips,
            field="piece",
            default=record.at,
            grouped=True,
            long=LONG,
            marked=other,
            notes=[_("restored") if place >= 0 and hidden[place] else ""
                   for place in record.places],
            heading=sentence(
                _("What the model writes by itself. Dashed: not in the text, or in another order")
                if record.moves else
                _("What the model writes by itself. Dashed: not in the text, or in another order. "
                  "Marked as restored: tokens that were hidden")
            ),
            name=title,
        )  # fmt: skip


def _hidden(record: Damage) -> float:
    hidden = record.run.hidden
    return float(record.restored[hidden].mean()) if hidden.any() else float("nan")
