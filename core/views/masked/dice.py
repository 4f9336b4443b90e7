"""What was thrown for each chosen word, on the line from 0 to 1 that decides its fate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components.plot import Plot, PlotAxis, Points, Rule, Zone
from core.figures.text import Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.guesses import Corrupted
from core.runs.requests import Request
from core.text.marks import MASK
from core.views.masked.rolling import (
    FATES,
    Rolled,
    Rolling,
    roll_requests,
    rolled,
    two_decimals,
)
from core.views.view import View

# From, to, and the colour of each fate.
ZONES = ((0.0, 0.8, "warning"), (0.8, 0.9, "residual"), (0.9, 1.0, "background"))


class Dice(View[Rolling, Rolled]):
    """A sign for each word."""

    name, Params, needs = "masked.dice", Rolling, Needs("masked_words")

    def requests(self, params: Rolling) -> tuple[Request, ...]:
        return roll_requests(params)

    def compute(self, runs: Sequence[Corrupted], params: Rolling) -> Rolled:
        return rolled(runs, params)

    def values(self, record: Rolled) -> Mapping[str, Values]:
        words = record.chosen
        axes = (Along("draw", _("chosen as"), [str(n) for n in range(len(words))]),)
        names = [record.word(word) for word in words]
        fates = [_(FATES[record.run.fates[word[0]]]) for word in words]
        thrown = np.array([record.thrown(word) for word in words])
        return {
            "word": Values(_("word"), np.array(names, object), axes),
            "dice": Values(_("dice"), thrown, axes),
            "fate": Values(_("fate"), np.array(fates, object), axes),
        }

    def describe(self, record: Rolled) -> Sentence:
        return sentence(
            "{list}.",
            list="; ".join(
                _("the random number of “{word}” is {dice}, so it {outcome}").format(
                    word=record.word(word),
                    dice=two_decimals(record.thrown(word)),
                    outcome=record.outcome(word),
                )
                for word in record.chosen
            ),
        )

    def draw(self, record: Rolled) -> Plot:
        words = record.chosen
        fates = (
            _("below 0.8: {mask}").format(mask=MASK),
            _("below 0.9: a random word"),
            _("from 0.9 on: stays"),
        )
        return Plot(
            title=_("The random number of each chosen word"),
            x=PlotAxis(title=_("the random number, from 0 to 1"), range=(0, 1), every=0.1),
            y=PlotAxis(
                title=_("chosen words, in order"),
                categories=[f"{n} {record.word(word)}" for n, word in enumerate(words)],
                reversed=True,
            ),
            series=[_signs(record)],
            zones=[
                Zone(low=low, high=high, role=role, label=label)
                for (low, high, role), label in zip(ZONES, fates, strict=True)
            ],
            rules=[Rule(x=high, role="border") for _low, high, _role in ZONES],
            height=200 + 28 * len(words),
            fixed=True,
        )


def _signs(record: Rolled) -> Points:
    """Where each word's number lies."""
    words = record.chosen
    thrown = [record.thrown(word) for word in words]
    said = [
        _("{label}: {value}").format(
            label=record.word(word), value=f"{number(value, 6)}, {record.outcome(word)}"
        )
        for word, value in zip(words, thrown, strict=True)
    ]
    return Points(
        x=thrown,
        y=range(len(words)),
        role="accent",
        symbol="diamond",
        size=13,
        labels=[*map(two_decimals, thrown)],
        sides=["left" if value > 0.5 else "right" for value in thrown],
        text=said,
        hover="{text}",
    )
