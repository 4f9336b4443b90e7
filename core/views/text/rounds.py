"""A unigram vocabulary that is learned from a text, round by round: what the views of it share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.components import Stepper
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along
from core.language import _, ngettext
from core.locale import grouped
from core.runs.requests import Request
from core.text.unigram_learning import Round, UnigramTraining
from core.views.nearest import nearest
from core.views.text.tokenizing import ByPieces


@dataclass(frozen=True)
class Rounds:
    """The rounds, and which one is shown.

    Attributes:
        learning: every round.
        params: what was asked for.
    """

    learning: UnigramTraining
    params: ByPieces

    @property
    def all(self) -> tuple[Round, ...]:
        """Every round."""
        return self.learning.rounds

    @property
    def at(self) -> int:
        """The round that is shown."""
        return nearest("round", self.params.round, len(self.all) - 1)

    @property
    def states(self) -> Along:
        """The rounds, as an axis."""
        return Along("round", _("round"), [str(n) for n in range(len(self.all))])

    def done(self, n: int) -> Sentence:
        """What a round does."""
        one = self.all[n]
        gone = sum(not entry.kept for entry in one.entries)
        changes: dict[str, Mark | str] = {
            "n": str(n),
            "entries": Mark(grouped(len(one.entries)), "strong"),
            "before": number(one.bits[0]),
            "after": Mark(number(one.bits[-1]), "accent"),
        }
        if not gone:
            return sentence(
                _("Round {n}: {entries} entries are left. Expectation maximisation takes the text "
                  "from {before} to {after} bits. Nothing more is removed."),
                **changes,
            )  # fmt: skip
        return sentence(
            ngettext(
                "Round {n}: {entries} entries. Expectation maximisation takes the text from "
                "{before} to {after} bits. Then {gone} entry is removed.",
                "Round {n}: {entries} entries. Expectation maximisation takes the text from "
                "{before} to {after} bits. Then {gone} entries are removed.",
                gone,
            ),
            gone=Mark(grouped(gone), "warning"),
            **changes,
        )

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return self.params.selection(round=self.at)


def rounds_requests(params: ByPieces) -> tuple[Request, ...]:
    """The run that all of them share."""
    return (params.unigram(),)


def rounds(runs: Sequence[UnigramTraining], params: ByPieces) -> Rounds:
    """The record of all of them."""
    return Rounds(runs[0], params)


def round_steps(record: Rounds) -> Stepper | None:
    """From the first round to the last, if there are several."""
    if len(record.all) < 2:
        return None
    return Stepper(
        title=_("Rounds of learning"),
        alt=str(record.done(record.at)),
        selection=record.selection(),
        n=len(record.all),
        first=record.at,
        field="round",
        before=1,
        texts=[record.done(n) for n in range(len(record.all))],
    )
