"""The worked example of a causal mask: four tokens, small enough to do by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.figures.components import Axis, How, Matrix, Scale, Sheet
from core.figures.components.arithmetic import ArithmeticStep, AskMask, Of, Softmax, Value
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.locale import listed, row, spelt
from core.models.needs import NO_MODEL
from core.tracing.trace import Array, Mask
from core.views.nearest import nearest
from core.views.params import param
from core.views.view import Note, View

TOKENS = ("[BEGIN]", "John", "kicked", "the")
SCORES = np.array(
    [[10, -2, 6, 3], [0, 7, 2, -4], [-3, 4, 5, -8], [2, 1, 7, 6]], np.float32
)  # fmt: skip
# What the slides print after the softmax: quoted, to be set right.
PRINTED_WEIGHTS = ((1.0,), (0.001, 0.999), (0.001, 0.356, 0.643), (0.030, 0.007, 0.591, 0.372))


@dataclass(frozen=True, slots=True)
class WorkedMask:
    """The worked example: a cell, and how far it is.

    Attributes:
        row, col: query and key.
        stage: 0 the scores, 1 under the mask, 2 after the softmax.
    """

    row: int = param(2, low=0, high=100_000, lives="browser", label=N_("Row"))
    col: int = param(1, low=0, high=100_000, lives="browser", label=N_("Column"))
    stage: int = param(2, low=0, high=20, lives="browser", label=N_("Step of the worked example"))


@dataclass(frozen=True, eq=False)
class Worked:
    """The four by four example: ``(4, 4)`` each."""

    scores: Array
    may: Mask
    weights: NDArray[np.float64]
    params: WorkedMask


class MasksWorkedView(View[WorkedMask, Worked]):
    """Scores, scores under the causal mask, weights."""

    name, Params, needs = "masks.worked", WorkedMask, NO_MODEL

    def compute(self, runs: Sequence[Any], params: WorkedMask) -> Worked:
        may = np.tril(np.ones((4, 4), bool))
        return Worked(SCORES, may, softmax(SCORES, may), params)

    def values(self, record: Worked) -> Mapping[str, Values]:
        axes = Along("query", _("query"), TOKENS), Along("key", _("key"), TOKENS)
        place = nearest("row", record.params.row, 3), nearest("col", record.params.col, 3)
        may = record.may.astype(np.uint8)
        return {
            "scores": Values(_("score"), record.scores, axes, selected=place),
            "may": Values(_("may attend"), may, axes, selected=place),
            "weights": Values(_("weight"), record.weights, axes, selected=place),
        }

    def describe(self, record: Worked) -> Sentence:
        query = nearest("row", record.params.row, 3)
        return sentence(
            _("“{query}” keeps the scores {scores}; their softmax is {weights}. Masked "
              "weights are exactly 0."),
            query=Mark(TOKENS[query], "query"),
            scores=row(number(float(s)) for s in record.scores[query, : query + 1]),
            weights=Mark(row(map(_cell_text, record.weights[query, : query + 1])), "weight"),
        )  # fmt: skip

    def draw(self, record: Worked) -> Matrix:
        return Matrix(
            title=_("Four tokens, one head: scores, mask, softmax"),
            selection={
                "row": record.params.row, "col": record.params.col, "stage": record.params.stage,
            },
            sheets=_sheets(record),
            sheet=nearest("stage", record.params.stage, 2),
            sheet_field="stage",
            names={"tokens": list(TOKENS)},
            arrays={
                "scores": record.scores,
                "may": record.may.astype(np.uint8),
                "weights": record.weights.astype(np.float32),
            },
        )  # fmt: skip

    def notes(self, record: Worked) -> list[Note]:
        """Where the lecture notes print something else, from the numbers computed here."""
        texts = []
        for query, printed in enumerate(PRINTED_WEIGHTS):
            computed = record.weights[query, : query + 1]
            if np.abs(computed - np.array(printed)).max() > 0.001:
                texts.append(
                    _("Row “{query}”: the slides print {printed}; the softmax of these scores is "
                      "{computed}.")
                    .format(query=TOKENS[query], printed=_as_printed(printed),
                            computed=_as_printed(computed))
                )  # fmt: skip
        texts.append(
            _("The slides leave −∞ in the masked cells after the softmax. Minus infinity is "
              "the masked score: e to the power of −∞ is {zero}, so the weight is {zero}.").format(
                zero=number(float(record.weights[0, 3]))
            )
        )  # fmt: skip
        texts.append(
            _("Another sheet writes the causal mask as “keep if i ≤ j” with i the query. With "
              "query i and key j, the keys that are kept have j ≤ i: here query 2 keeps keys "
              "{kept}.").format(
                kept=listed(str(j) for j in np.flatnonzero(record.may[2]))
            )
        )  # fmt: skip
        return [Note("erratum", sentence("{text}", text=text)) for text in texts]


def _as_printed(shares: Sequence[float] | NDArray[np.float64]) -> str:
    """Weights as the slides print them."""
    return row(spelt(f"{share:.3f}") for share in shares)


def _cell_text(weight: float) -> str:
    """A weight in a cell: what is allowed is never 0, however small it is."""
    small = f"< {spelt('0.001')}"
    return small if 0 < weight < 0.0005 else spelt(f"{weight:.3f}")


def _sheets(record: Worked) -> list[Sheet]:
    """The three stages, each with the arithmetic up to it."""
    title, steps = _("How the weight of “{col}” for “{row}” is computed"), _steps()

    def how(n: int) -> How:
        return How(title, [*steps[: n - 1], replace(steps[n - 1], now=True)])

    axes = Sentence((
        Mark(_("rows: "), "plain"), Mark(_("queries"), "query"),
        Mark(_(" · columns: "), "plain"), Mark(_("keys"), "key"),
    ))  # fmt: skip
    grid: dict[str, Any] = {
        "rows": Axis(TOKENS, "row", "query"), "cols": Axis(TOKENS, "col", "key"),
        "max_cell": 76, "row_height": 44, "axes": axes,
    }  # fmt: skip
    scores = grid | {
        "array": "scores",
        "scale": Scale("signed", 10.0),
        "texts": [[number(float(score)) for score in row] for row in record.scores],
    }
    weights = grid | {
        "array": "weights",
        "scale": Scale("weight", 1.0),
        "texts": [[_cell_text(weight) for weight in row] for row in record.weights],
    }
    return [
        Sheet(tab=_("1 Scores"), title=_("Scores"), how=how(1), **scores),
        Sheet(tab=_("2 Mask"), title=_("Scores under the causal mask"), how=how(2), mask="may",
              masked_text="−∞", **scores),
        Sheet(tab=_("3 Softmax"), title=_("Attention weights"), how=how(3), mask="may",
              masked_text="0", **weights),
    ]  # fmt: skip


def _steps() -> list[ArithmeticStep]:
    """From the score to the weight."""
    return [
        Value(
            title=_("The score, given"),
            name="q · k / √d_head",
            result=Of("scores", row="row", col="col"),
        ),
        AskMask(
            title=_("Does the mask allow it?"),
            may=Of("may", row="row", col="col"),
            # The step's own names: a row is a query, a column a key.
            kept=_("The key is not after the query: the score is kept."),
            hidden=_("The key is after the query: the score becomes −∞."),
        ),
        Softmax(
            title=_("Softmax over the allowed scores"),
            scores=Of("scores", row="row"),
            weights=Of("weights", row="row"),
            may=Of("may", row="row"),
            at="col",
            names="tokens",
        ),
    ]
