"""Where a small Transformer looks while it writes an exercise's target."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import grouped
from core.views.learning.practising import OfPractice, Watched
from core.views.learning.samples import symbols


class Looks(OfPractice):
    """Cross-attention of one head for the first held-out sequence."""

    name = "learning.looks"

    def values(self, record: Watched) -> Mapping[str, Values]:
        axes = (Along("query", _("is to write"), _rows(record)),
                Along("key", _("attends to"), _cols(record)))  # fmt: skip
        return {"weights": Values(_("weight"), _weights(record), axes)}

    def describe(self, record: Watched) -> Sentence:
        weights, last = _weights(record), record.own.last
        query, key = np.unravel_index(int(weights.argmax()), weights.shape)
        return sentence(
            _("After {step} steps head {head} has its largest weight, {share}, where it is to "
              "write symbol {query} and attends to symbol {key} of the source."),
            step=grouped(last.step), head=str(record.params.practice_head),
            share=Mark(percent(float(weights[query, key])), "weight"),
            query=str(int(query) + 1), key=str(int(key) + 1),
        )  # fmt: skip

    def draw(self, record: Watched) -> Matrix:
        title = _("Cross-attention, head {head}, after {step} steps").format(
            head=record.params.practice_head, step=grouped(record.own.last.step)
        )
        sheet = Sheet(
            title=title, array="weights", rows=Axis(_rows(record), "symbol_row", "query"),
            cols=Axis(_cols(record), "symbol_col", "key"), scale=Scale("weight"), max_cell=30,
            alt="",
            axes=sentence(_("rows: the symbol to be written · columns: symbols of the source")),
        )  # fmt: skip
        weights = _weights(record).astype(np.float32)
        return Matrix(sheets=[sheet], arrays={"weights": weights})


def _weights(record: Watched) -> np.ndarray:
    found: np.ndarray = record.own.last.weights[record.params.practice_head]
    return found


def _rows(record: Watched) -> list[str]:
    return symbols(record.own.last.wanted[0])


def _cols(record: Watched) -> list[str]:
    return symbols(record.own.last.sources[0])
