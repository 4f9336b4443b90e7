"""One word behind [MASK], behind [MASK] and a causal mask, and in sight.

The model was never trained with a causal mask. So the one that was stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.guesses import Filled
from core.runs.requests import Request
from core.spelling import visible
from core.text.marks import MASK
from core.views.masked.gap import Hidden, Hiding, gap_requests, hidden
from core.views.view import View


class WhyNoMask(View[Hiding, Hidden]):
    """A bar for each condition."""

    name, Params, needs = "masked.why", Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return gap_requests(params)

    def compute(self, runs: Sequence[Filled], params: Hiding) -> Hidden:
        return hidden(runs, params)

    def values(self, record: Hidden) -> Mapping[str, Values]:
        axes = (Along("condition", _("condition"), [*_conditions(record).values()]),)
        label = _("probability of {word}").format(word=record.run.sight.word)
        return {"probability": Values(label, np.array(_shares(record)), axes, selected=(0,))}

    def describe(self, record: Hidden) -> Sentence:
        sight, left = record.run.sight, _left(record)
        of_masked = sentence(
            _("Hidden behind {mask}, “{word}” gets {hidden}. A causal mask takes away the right "
              "side, too, and {masked} was never trained with one: then it gets {share}. "
              "Visible, it gets {visible}."),
            mask=MASK,
            word=Mark(visible(sight.word), "query"),
            hidden=Mark(percent(sight.hidden), "accent"),
            share=Mark(percent(sight.causal), "accent"),
            visible=Mark(percent(sight.visible), "accent"),
            **record.models,
        )  # fmt: skip
        if math.isnan(left):  # it is too long for the other model
            return of_masked
        of_causal = sentence(
            _("{causal} was trained with such a mask and gives it {left} from the left side "
              "alone."),
            left=Mark(percent(left), "accent"),
            **record.models,
        )  # fmt: skip
        return join([of_masked, of_causal])

    def draw(self, record: Hidden) -> Bars:
        title = sentence(
            _("How likely “{word}” is, hidden and visible"),
            word=Mark(visible(record.run.sight.word), "query"),
        )
        rows = [
            BarRow(ident, label, chosen=ident == "hidden")
            for ident, label in _conditions(record).items()
        ]
        return Bars(
            title=str(title),
            frames=[BarFrame(rows, title=title)],
            values=np.array([[_shares(record)]]),
            wide=True,
            given=True,
        )


def _conditions(record: Hidden) -> dict[str, str]:
    """Under which conditions the word was judged."""
    return {
        "hidden": _("hidden, both sides read"),
        "causal": _("hidden, and a causal mask as well"),
        "left": _("{model}, trained with that mask").format(model=record.causal),
        "visible": _("visible"),
    }


def _shares(record: Hidden) -> list[float]:
    """Its probability under each."""
    sight = record.run.sight
    return [sight.hidden, sight.causal, _left(record), sight.visible]


def _left(record: Hidden) -> float:
    """Its probability after what stands left of it, of the model that learned so."""
    run = record.run
    return next(one.left for one in run.candidates if one.text == run.sight.word)
