"""The text as the model would have read it in training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.models.needs import Needs
from core.runs.guesses import Corrupted
from core.runs.requests import Request
from core.views.masked.rolling import (
    FATES,
    Rolled,
    Rolling,
    roll_requests,
    rolled,
    two_decimals,
)
from core.views.nearest import nearest
from core.views.view import View

N_SAID = 3  # drawn words that the reading names


class TrainingExample(View[Rolling, Rolled]):
    """Chips with the dice of what was drawn, and a reading for each of them."""

    name, Params, needs = "masked.example", Rolling, Needs("masked_words")

    def requests(self, params: Rolling) -> tuple[Request, ...]:
        return roll_requests(params)

    def compute(self, runs: Sequence[Corrupted], params: Rolling) -> Rolled:
        return rolled(runs, params)

    def values(self, record: Rolled) -> Mapping[str, Values]:
        run, chosen = record.run, record.params.example_token
        n = len(run.tokens)
        axes = (Along("position", _("position"), [str(at) for at in range(n)]),)
        place = (nearest("example_token", chosen, n - 1),) if chosen >= 0 else None
        order = np.where(run.order >= 0, run.order.astype(np.float64), np.nan)
        fates = [_(FATES[fate]) for fate in run.fates]
        guesses = ["" if guess is None else guess.label for guess in run.guesses]
        columns = {
            "token": (_("token"), np.array(tokens.labels(run.tokens), object)),
            "draw": (_("chosen as"), order),
            "dice": (_("dice"), run.dice),
            "fate": (_("fate"), np.array(fates, object)),
            "shown": (_("the model reads"), np.array(tokens.labels(run.shown), object)),
            "probability": (_("probability of the original"), run.probs),
            "guess": (_("most likely there"), np.array(guesses, object)),
        }
        return {
            name: Values(label, column, axes, selected=None if column.dtype == object else place)
            for name, (label, column) in columns.items()
        }

    def describe(self, record: Rolled) -> Sentence:
        pieces = sum(map(len, record.run.words))
        n = int((record.run.order >= 0).sum())
        parts = [
            sentence(
                ngettext("{n} of {all} pieces is chosen, {share}.",
                         "{n} of {all} pieces are chosen, {share}.", n),
                n=Mark(str(n), "accent"), all=str(pieces), share=percent(n / pieces),
            )
        ]  # fmt: skip
        parts += [
            sentence(
                _("The random number of “{word}” is {dice}, so it {outcome}."),
                word=Mark(record.word(word), "query"),
                dice=Mark(two_decimals(record.thrown(word)), "accent"),
                outcome=record.outcome(word),
            )
            for word in record.chosen[:N_SAID]
        ]
        return join(parts)

    def draw(self, record: Rolled) -> Strip:
        run, chosen = record.run, record.params.example_token
        title, n = _("Your sentence as a training example"), len(run.tokens)
        under = _("Under a chosen piece: the random number drawn for it, and what became of it.")
        whole = self.describe(record)
        return Strip(
            title=title,
            alt=str(whole),
            selection={"example_token": None if chosen < 0 else chosen},
            tokens=[tokens.chip(token) for token in run.shown],
            given=[tokens.chip(token) for token in run.tokens],
            cut=tokens.cut_text(run.cut),
            field="example_token",
            heading=join([sentence(title + "."), sentence(under)]),
            notes=_notes(record),
            marked=[at for at in range(n) if run.order[at] >= 0],
            readings=[_reading(record, at) or whole for at in range(n)],
            name=title,
        )


def _reading(record: Rolled, at: int) -> Sentence | None:
    """What the model makes of a drawn piece."""
    run = record.run
    guess = run.guesses[at]
    if guess is None:
        return None
    return sentence(
        _(
            "The model must predict “{word}” here and gives it {share}. Its best guess is "
            "“{guess}”."
        ),
        word=Mark(run.tokens[at].spoken, "query"),
        share=Mark(percent(float(run.probs[at])), "accent"),
        guess=Mark(guess.spoken, "strong"),
    )


def _notes(record: Rolled) -> list[str]:
    """What a drawn piece rolled and what it was, under every token."""
    run = record.run
    notes = [""] * len(run.tokens)
    for word in record.chosen:
        for at in word:
            notes[at] = f"{two_decimals(float(run.dice[at]))} · {run.tokens[at].label}"
    return notes
