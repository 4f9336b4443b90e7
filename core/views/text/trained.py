"""A code learnt from a text, merge by merge: what the views of it share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.figures.components import Stepper
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along
from core.language import _, ngettext
from core.runs.requests import Request
from core.spelling import bytes_label
from core.text.learning import MergeTraining
from core.views.text.tokenizing import ByMerges


@dataclass(frozen=True)
class Trained:
    """The learnt code after some of its merges.

    Attributes:
        learning: every state of it.
        params: what was asked for.
    """

    learning: MergeTraining[Any]
    params: ByMerges

    @property
    def n_merges(self) -> int:
        """How many were learnt."""
        return len(self.learning.code.merges)

    @property
    def step(self) -> int:
        """How many are shown."""
        return min(self.params.so_far, self.n_merges)

    @property
    def scored(self) -> bool:
        """Whether pairs go by a score, not by their count."""
        return bool(self.learning.rivals)

    @property
    def states(self) -> Along:
        """The states of the text: before the first merge, and after each."""
        return Along("state", _("state"), [str(step) for step in range(self.n_merges + 1)])

    def label(self, symbol: int) -> str:
        """A symbol as it is written."""
        return bytes_label(self.learning.code.vocabulary[symbol])

    def done(self, step: int) -> Sentence:
        """What the merge before a state did."""
        if not step:
            if self.scored:
                return sentence(_("Nothing is merged yet: every symbol is one letter."))
            return sentence(_("Nothing is merged yet: every symbol is one byte."))
        merge = self.learning.code.merges[step - 1]
        return sentence(
            ngettext(
                "Merge {n}: “{a}” and “{b}” become “{new}”, {count} time.",
                "Merge {n}: “{a}” and “{b}” become “{new}”, {count} times.",
                merge.count,
            ),
            n=str(step),
            a=Mark(self.label(merge.left), "strong"),
            b=Mark(self.label(merge.right), "strong"),
            new=Mark(self.label(merge.new), "accent"),
            count=Mark(str(merge.count), "accent"),
        )

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return self.params.selection(merge=self.step)


def training_requests(params: ByMerges) -> tuple[Request, ...]:
    """The run that all of them share."""
    return (params.learning(),)


def trained(runs: Sequence[MergeTraining[Any]], params: ByMerges) -> Trained:
    """The record of all of them."""
    return Trained(runs[0], params)


def merge_steps(record: Trained) -> Stepper | None:
    """From single bytes to the last merge, if there is one."""
    if not record.n_merges:
        return None
    return Stepper(
        title=_("Entries learned so far, and how often each pair occurred"),
        alt=str(record.done(record.step)),
        selection=record.selection(),
        n=record.n_merges + 1,
        first=record.step,
        field="merge",
        before=1,
        texts=[record.done(step) for step in range(record.n_merges + 1)],
    )
