"""What a distance adds to the scores of one head, and its weights without that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.distributions import softmax
from core.figures.components import Matrix, Scale, Sheet
from core.figures.text import Sentence
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.tracing.trace import Array
from core.views.attention.head import AtHead, HeadRun, head_controls, head_requests, head_run
from core.views.controls import Control
from core.views.parts import head_at, titled
from core.views.view import View


@dataclass(frozen=True)
class Added:
    """A head with the bias on its scores, and without it.

    Attributes:
        run: the head.
        bias: ``(Tq, Tk)``; zeros where the model adds none to this kind of attention.
        without: ``(Tq, Tk)``, the softmax of the scores before the bias is added.
    """

    run: HeadRun
    bias: Array
    without: Array

    @property
    def moved(self) -> Array:
        """For each query the share of its attention that the bias moves: ``(Tq,)``."""
        return np.asarray(np.abs(self.run("weights") - self.without).sum(axis=-1) / 2, np.float32)

    def sheet(self, title: str, array: str, scale: Scale) -> Sheet:
        """Queries down, keys across."""
        return Sheet(
            title=title,
            array=array,
            rows=self.run.rows,
            cols=self.run.columns,
            scale=scale,
            mask="may",
            axes=self.run.of_pairs(),
        )

    def matrix(self, title: str, array: str, values: Array, scale: Scale, alt: Sentence) -> Matrix:
        """The one sheet of a view."""
        title = titled(title, head_at(self.run))
        return Matrix(
            title=title,
            alt=str(alt),
            selection=self.run.selection(),
            sheets=[self.sheet(title, array, scale)],
            arrays={array: values, "may": self.run.mask.astype(np.uint8)},
        )


class OfAdded(View[AtHead, Added]):
    """A view of a head with a bias on its scores."""

    Params, needs = AtHead, Needs(parts=("relative_bias",))

    def controls(self, record: Added) -> Sequence[Control]:
        return head_controls(record.run)

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> Added:
        run = head_run(runs, params)
        bias = np.zeros_like(run("scores")) if run.bias is None else run.bias
        without = softmax(run("scores") - bias, run.mask)
        return Added(run, np.asarray(bias, np.float32), without.astype(np.float32))
