"""What BART's decoder has to write: the whole text, what it can copy and what it has to guess."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.views.noise.damage import Damage, OfDamage


class Wanted(OfDamage):
    """Every token with the probability that the model gives it after all those before it."""

    name = "noise.wanted"

    def values(self, record: Damage) -> Mapping[str, Values]:
        n = len(record.run.tokens)
        wanted = record.run.wanted
        axes = (Along("position", _("position"), [str(at) for at in range(n)]),)
        labels = (tokens.labels(several[:n]) for several in (record.run.tokens, wanted.best))
        token, best = (np.array(list(one), object) for one in labels)
        return {
            "token": Values(_("token"), token, axes),
            "hidden": Values(_("hidden"), record.run.hidden, axes),
            "probability": Values(
                _("probability"), wanted.probs[:n], axes, selected=(record.at,)
            ),
            "best": Values(_("most likely there"), best, axes),
            "found": Values(_("nothing is more likely"), record.found, axes),
            "hidden_found": Values(
                _("share of the hidden tokens that are most likely"),
                np.array(_share(record.found, record.run.hidden)),
            ),
            "copied": Values(
                _("share of the visible tokens that are most likely"),
                np.array(_share(record.found, ~record.run.hidden)),
            ),
        }  # fmt: skip

    def describe(self, record: Damage) -> Sentence:
        n, visible = record.n_hidden, len(record.run.tokens) - record.n_hidden
        copies = sentence(
            ngettext("Given all tokens before it, {k} of {n} visible token is the model's first "
                     "choice.",
                     "Given all tokens before each, {k} of {n} visible tokens are the model's "
                     "first choice.", visible),
            n=str(visible), k=Mark(str(int(record.found[~record.run.hidden].sum())), "accent"),
        )  # fmt: skip
        if not n:
            return copies
        guesses = sentence(
            ngettext("Of the {n} hidden token, which it must guess, {k} is.",
                     "Of the {n} hidden tokens, which it must guess, {k} are.", n),
            n=str(n), k=Mark(str(int(record.found[record.run.hidden].sum())), "accent"),
        )  # fmt: skip
        return join([copies, guesses]) if visible else guesses

    def draw(self, record: Damage) -> Strip:
        title = _("What the decoder must write, each token with its probability")
        n = len(record.run.tokens)
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=[tokens.chip(token, group=None) for token in record.run.tokens],
            field="piece",
            default=record.at,
            heat=record.run.wanted.probs[:n],
            heat_role="accent",
            heat_limit=1.0,
            heat_unit="share",
            marked=np.flatnonzero(record.run.hidden).tolist(),
            readings=[_reading(record, at) for at in range(n)],
            heading=sentence(
                title if record.moves else
                _("What the decoder must write, each token with its probability. Dashed: hidden "
                  "from the encoder")
            ),
            name=title,
        )  # fmt: skip


def _share(found: np.ndarray, among: np.ndarray) -> float:
    return float(found[among].mean()) if among.any() else float("nan")


def _reading(record: Damage, at: int) -> Sentence:
    """How likely a token is where it belongs, and what else would be."""
    token, wanted = record.run.tokens[at], record.run.wanted
    where = (_("“{token}” is hidden from the encoder. Given all tokens before it, the model gives "
               "it {share}.") if record.run.hidden[at]
             else _("“{token}” stands in what the encoder reads. Given all tokens before it, the "
                    "model gives it {share}."))  # fmt: skip
    own = sentence(
        where,
        token=Mark(token.spoken, "query"),
        share=Mark(percent(float(wanted.probs[at])), "accent"),
    )
    if record.found[at]:
        return join([own, sentence(_("Nothing is more likely here."))])
    other = sentence(
        _("“{best}” gets {share}."),
        best=Mark(wanted.best[at].spoken, "strong"),
        share=percent(float(wanted.best_probs[at])),
    )
    return join([own, other])
