"""One head's attention weights as a matrix."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import Matrix, Scale, Sheet
from core.figures.text import Sentence
from core.figures.values import Values
from core.language import _
from core.models.needs import Needs
from core.views.attention.head import HeadRun, reading
from core.views.attention.one_head import OfHead, weight_values
from core.views.parts import attention_called, head_at, titled


class Weights(OfHead):
    """Rows are queries, columns keys, and each row sums to 1."""

    name = "attention.weights"
    needs = Needs(parts=("attention",))

    def values(self, record: HeadRun) -> Mapping[str, Values]:
        return weight_values(record)

    def describe(self, record: HeadRun) -> Sentence:
        return reading(record, record.query)

    def site(self, record: HeadRun) -> str:
        return record.prefix + "weights"

    def draw(self, record: HeadRun) -> Matrix:
        blueprint, what = record.trace.blueprint, _("Attention weights")
        if len(blueprint.attentions) > 1:
            what = titled(what, attention_called(blueprint, record.attention))
        title = titled(what, head_at(record))
        return Matrix(
            title=title,
            selection=record.selection(),
            sheets=[
                Sheet(
                    title=title,
                    array="weights",
                    rows=record.rows,
                    cols=record.columns,
                    scale=Scale("weight", 1.0),
                    mask="may",
                    axes=record.of_pairs(),
                )
            ],
            arrays={"weights": record("weights"), "may": record.mask.astype(np.uint8)},
        )
