"""Span by span: how likely is what stood there, and how likely what the model writes there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Sentence, shortened
from core.figures.values import Along, Values
from core.language import _
from core.views.noise.spans import OfSpans, Piece, Spans

SHOWN = 28  # characters of a span that its label has


class Fillings(OfSpans):
    """The products of the probabilities of their tokens."""

    name = "noise.fillings"

    def values(self, record: Spans) -> Mapping[str, Values]:
        marks = [record.sentinel(span) for span in range(len(record.run.spans))]
        axes = (Along("span", _("span"), marks),)

        def texts(pieces: list[Piece]) -> np.ndarray:
            return np.array([piece.text for piece in pieces], object)

        truth, filled = list(record.truth), list(record.filled)
        return {
            "hidden": Values(_("what stood there"), texts(truth), axes),
            "hidden_probability": Values(
                _("its probability"), np.array([one.prob for one in truth]), axes,
                selected=(record.at,),
            ),
            "filled": Values(_("what the model writes"), texts(filled), axes),
            "filled_probability": Values(
                _("its probability"), np.array([one.prob for one in filled]), axes
            ),
        }  # fmt: skip

    def describe(self, record: Spans) -> Sentence:
        return record.reading(record.at)

    def draw(self, record: Spans) -> Bars:
        rows = [
            BarRow(
                str(span),
                f"{_short(truth)} → {_short(filled)}",
                titles=[_("what stood there: {text}").format(text=truth.text),
                        _("what the model writes: {text}").format(text=filled.text)],
            )
            for span, (truth, filled) in enumerate(
                zip(record.truth, record.filled, strict=True)
            )
        ]  # fmt: skip
        probs = [[piece.prob for piece in pieces] for pieces in (record.truth, record.filled)]
        return Bars(
            title=_("What stood behind each sentinel → what the model writes"),
            frames=[BarFrame(rows)],
            values=np.array([probs]),
            series=[Series(_("what stood there"), "residual"),
                    Series(_("what the model writes"), "accent")],
            stacked=True,
        )  # fmt: skip


def _short(piece: Piece) -> str:
    return shortened(piece.text, SHOWN) or _("nothing")
