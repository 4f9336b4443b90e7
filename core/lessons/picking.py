"""Where an answer is picked on a figure: the chips of a strip, the cells of a matrix.

``i`` and ``j`` are the row and the column of a cell in the expressions of a question about cells:
``j <= i`` is true where the key does not come after the query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import ExpressionError, NoQuestionError
from core.figures.components import Component
from core.language import N_, Phrase
from core.lessons.expressions import evaluate, place_of
from core.lessons.schema import Question

MAX_CELLS = 400  # that can be picked from


@dataclass(frozen=True, slots=True)
class PickGrid:
    """Cells to pick from.

    Attributes:
        rows, cols: names of rows and columns; of one row its columns only.
        row: the only row that is asked about; None for all of them.
    """

    rows: tuple[str, ...]
    cols: tuple[str, ...]
    row: int | None

    @property
    def labels(self) -> tuple[str, ...]:
        """What every cell is called, row by row: "row → column", the column alone in one row."""
        if self.row is not None:
            return self.cols
        return tuple(f"{row} → {col}" for row in self.rows for col in self.cols)

    @property
    def names(self) -> dict[str, Any]:
        """What the question's expressions may say of a cell."""
        if self.row is not None:
            return {"i": self.row, "j": np.arange(len(self.cols))}
        return {"i": np.arange(len(self.rows))[:, None], "j": np.arange(len(self.cols))[None, :]}

    def places(self, text: str, names: Mapping[str, Any]) -> frozenset[int]:
        """The cells at which an expression is true, counted row by row.

        Raises:
            ExpressionError: it is true or false of something else than these cells.
        """
        cells = np.asarray(evaluate(text, {**names, **self.names}))
        shape = (len(self.cols),) if self.row is not None else (len(self.rows), len(self.cols))
        try:
            true = np.broadcast_to(cells, shape)
        except ValueError:
            raise ExpressionError(
                text, Phrase(N_("it has shape {own}, the cells {cells}"), own=cells.shape,
                             cells=shape)
            ) from None  # fmt: skip
        return frozenset(int(n) for n in np.flatnonzero(true))


def grid_of(question: Question, names: Mapping[str, Any]) -> PickGrid:
    """The cells that a question is about.

    Raises:
        ExpressionError: the lesson says something that is not there.
        NoQuestionError: there are too many of them.
    """
    over = evaluate(question.over or "", names)
    row = None if question.row is None else place_of(question.row, names)
    if row is None and (len(over) != 2 or any(isinstance(label, str) for label in over)):
        raise ExpressionError(
            question.over or "", N_("it must name rows and columns: [axis.query, axis.key]")
        )
    rows, cols = ([], over) if row is not None else over
    grid = PickGrid(_texts(rows), _texts(cols), row)
    if len(grid.labels) > MAX_CELLS:
        raise NoQuestionError(N_("This text is too long here: take a shorter one."))
    return grid


def _texts(labels: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(label) for label in labels)


def shape_in(component: Component | None, n: int, grid: PickGrid | None) -> tuple[int, int] | None:
    """Rows and columns of a figure in which an answer can be picked; None where it cannot be.

    Args:
        component: that is shown.
        n: things to pick from.
        grid: of a question about cells; None for one about tokens.
    """
    shape = None if component is None else component.pick_shape()
    if shape is None or (shape.kind == "cells") != (grid is not None):
        return None
    fits = n <= shape.cols
    if grid is not None:
        fits = shape.cols == len(grid.cols) and (grid.row or 0) < shape.rows
        fits = fits and (grid.row is not None or shape.rows == len(grid.rows))
    return (shape.rows, shape.cols) if fits else None
