"""How often the generator draws the digit that a text names: recorded, with the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.shares import wilson
from core.digits import index
from core.digits.index import Made, Measure
from core.figures.components import BarFrame, BarRow, Bars, Series
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.models.needs import NO_MODEL
from core.views.digits.drawing import GUIDANCE, Drawing
from core.views.view import Note, View

# By the name of a measure; the others name no digit.
SAID = {
    "trained_words": N_("texts it learned from, in words"),
    "trained_numerals": N_("texts it learned from, with numerals"),
    "held_words": N_("other texts, in words"),
    "held_numerals": N_("other texts, with numerals"),
    "french_words": N_("the French words"),
}
ROLES = ("query", "key")  # of their bars


@dataclass(frozen=True)
class Measured:
    """What was measured, and how it was made."""

    made: Made

    @property
    def shown(self) -> list[Measure]:
        """Those that name a digit, at the guidance that the page opens with."""
        found = [self.made.measure(name, GUIDANCE) for name in SAID]
        return [one for one in found if one is not None]

    @property
    def judges(self) -> tuple[str, ...]:
        """The classifiers, by their ids; the first is the one that the page asks, too."""
        return self.made.judges

    def share(self, measure: Measure, judge: str) -> float:
        return measure.right[judge] / measure.n


class Shares(View[Drawing, Measured]):
    """A bar for each kind of text and each classifier."""

    name, Params, needs = "digits.measured", Drawing, NO_MODEL

    def compute(self, runs: Sequence[Any], params: Drawing) -> Measured:
        return Measured(index.read())

    def values(self, record: Measured) -> Mapping[str, Values]:
        kinds = Along("texts", _("texts"), [_(SAID[one.name]) for one in record.shown])
        axes = (Along("model", _("model"), [name_of(one) for one in record.judges]), kinds)
        ends = np.array([
            [wilson(one.right[judge], one.n) for one in record.shown] for judge in record.judges
        ]).reshape(len(record.judges), len(record.shown), 2)  # fmt: skip
        return {
            "share": Values(_("share read as the digit named"), _shares(record), axes),
            "low": Values(_("lower end of the 95 % interval"), ends[..., 0], axes),
            "high": Values(_("upper end of the 95 % interval"), ends[..., 1], axes),
            "n": Values(_("pictures"), np.array([one.n for one in record.shown]), (kinds,)),
        }

    def describe(self, record: Measured) -> Sentence:
        said = [self._said(record, name) for name in ("trained_words", "held_words")]
        return join([one for one in said if one is not None])

    @staticmethod
    def _said(record: Measured, name: str) -> Sentence | None:
        one = record.made.measure(name, GUIDANCE)
        if one is None:
            return None
        low, high = wilson(one.right[record.judges[0]], one.n)
        templates = {
            "trained_words": _("Of {n} pictures for texts it learned from, the CNN reads {share} "
                               "as the digit named (95 % interval: {low} to {high})."),
            "held_words": _("For texts whose wordings were held out from training, it is {share} "
                            "({low} to {high})."),
        }  # fmt: skip
        return sentence(
            templates[name], n=str(one.n),
            share=Mark(percent(record.share(one, record.judges[0])), "accent"),
            low=percent(low), high=percent(high),
        )  # fmt: skip

    def draw(self, record: Measured) -> Bars:
        title = _("Share of pictures read as the digit named")
        return Bars(
            title=title,
            frames=[
                BarFrame(
                    [BarRow(one.name, _(SAID[one.name])) for one in record.shown],
                    title=sentence("{title}", title=title),
                )
            ],
            values=_shares(record)[None],
            series=[Series(name_of(judge), ROLES[n % 2]) for n, judge in enumerate(record.judges)],
            stacked=True,
        )

    def notes(self, record: Measured) -> Sequence[Note]:
        made = record.made
        said = sentence(
            _("Recorded by {command} at commit {commit}, on other noise than yours."),
            command=made.measured_by, commit=made.commit,
        )  # fmt: skip
        nothing = made.measure("a_dog", GUIDANCE)
        return (*([_no_digit(nothing, record.judges[0])] if nothing else []), Note("more", said))


def _no_digit(measure: Measure, judge: str) -> Note:
    """What becomes of a text that names no digit."""
    read = measure.read[judge]
    most = int(np.argmax(read))
    return Note("warning", sentence(
        _("“a dog” names no digit, and the generator never learned from a picture of a dog. It "
          "draws strokes all the same, in which the CNN most often reads “{digit}”: in {share} of "
          "{n} pictures."),
        digit=str(most), share=percent(read[most] / measure.n), n=str(measure.n),
    ))  # fmt: skip


def _shares(record: Measured) -> np.ndarray[Any, np.dtype[np.float64]]:
    """``(models, texts)``."""
    return np.array([
        [record.share(one, judge) for one in record.shown] for judge in record.judges
    ]).reshape(len(record.judges), len(record.shown))  # fmt: skip
