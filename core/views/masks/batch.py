"""A batch of sentences of different length: the short rows are filled up with padding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.locale import listed
from core.runs.results import Run
from core.views.masks.asked import UnderMask
from core.views.masks.of_mask import OfMask
from core.views.masks.run import PAD_LABEL, MaskRun, mask_run
from core.views.view import register

# Not the key: which one gets most is a number of a run that is not shown here.
SELECTED = ("mask", "token", "sheet", "sentence")


@dataclass(frozen=True, eq=False)
class Table:
    """The batch as it lies in memory.

    Attributes:
        run: of one of its sentences.
        real: 1 for a token, 0 for padding, ``(sentences, positions)``.
        texts: of the cells.
    """

    run: MaskRun
    real: NDArray[np.uint8]
    texts: Sequence[Sequence[str]]


@register
class MaskBatch(OfMask[Table]):
    """One row a sentence."""

    name = "masks.batch"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> Table:
        run = mask_run(runs, params)
        given = run.given
        rows = run.batch or (given.stream.units[: given.n],)
        longest = max(map(len, rows))
        real = np.zeros((len(rows), longest), np.uint8)
        texts = []
        for i, row in enumerate(rows):
            real[i, : len(row)] = 1
            texts.append([*tokens.labels(row), *[PAD_LABEL] * (longest - len(row))])
        return Table(run, real, texts)

    def absent(self, record: Table) -> bool:
        return not record.run.batch

    def values(self, record: Table) -> Mapping[str, Values]:
        rows, columns = record.real.shape
        axes = (
            Along("sentence", _("sentence"), [str(i) for i in range(rows)]),
            Along("position", _("position"), [str(j) for j in range(columns)]),
        )
        return {
            "token": Values(_("token"), np.array(record.texts, object), axes),
            "padding": Values(_("padding"), 1 - record.real, axes),
        }

    def describe(self, record: Table) -> Sentence:
        lengths = record.real.sum(axis=1).tolist()
        return sentence(
            _("{n} sentences of {lengths} tokens share one table of {longest} columns. The "
              "rest of each row is padding."),
            n=str(len(lengths)),
            lengths=listed(map(str, lengths)),
            longest=str(max(lengths)),
        )  # fmt: skip

    def show(self, record: Table) -> Matrix:
        title, alt = _("The batch: one row per sentence"), str(self.describe(record))
        names = [str(i) for i in range(len(record.texts))]  # their tokens need the room
        columns = [str(j) for j in range(record.real.shape[1])]
        sheet = Sheet(
            title=title,
            array="real",
            texts=record.texts,
            rows=Axis(names, "sentence", "accent"),
            cols=Axis(columns, "token", "key", hide=True),
            scale=Scale("category"),
            # Padding is not masked in itself, so it is shaded and not hatched.
            categories=[
                Category(_("padding"), "residual", share=0.3),
                Category(_("token"), "surface"),
            ],
            max_cell=88,
            row_height=20,
            alt=alt,
        )
        return Matrix(
            title=title,
            alt=alt,
            selection={name: record.run.selection()[name] for name in SELECTED},
            sheets=[sheet],
            arrays={"real": record.real},
        )
