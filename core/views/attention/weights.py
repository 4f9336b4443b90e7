"""One head's attention weights as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.components import Matrix, Scale, Sheet
from core.figures.text import Sentence
from core.figures.values import Values
from core.language import _
from core.runs.requests import Request
from core.runs.results import Run
from core.views.attention.head import AtHead, HeadRun, head_requests, head_run, reading
from core.views.view import View, register


@register
class Weights(View[AtHead, HeadRun]):
    """Rows are queries, columns keys, and each row sums to 1."""

    name, Params = "attention.weights", AtHead

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> HeadRun:
        return head_run(runs, params)

    def values(self, record: HeadRun) -> Mapping[str, Values]:
        return {
            "weights": Values(
                _("Attention weights"), record("weights"), record.along,
                site=record.prefix + "weights", selected=(record.query, record.key),
            )
        }  # fmt: skip

    def describe(self, record: HeadRun) -> Sentence:
        return reading(record, record.query)

    def show(self, record: HeadRun) -> Matrix:
        title = _("Attention weights of layer {layer}, head {head}").format(
            layer=record.layer, head=record.head
        )
        alt = str(self.describe(record))
        return Matrix(
            title=title,
            alt=alt,
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
                    alt=alt,
                )
            ],
            arrays={"weights": record("weights"), "may": record.mask.astype(np.uint8)},
        )
