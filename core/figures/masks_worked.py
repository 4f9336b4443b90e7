"""The worked example of a causal mask, and why a model without a mask learns nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.analysis.masks import masked_softmax
from core.figures import svg, tokens
from core.figures.params import param
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.theme import PALETTES, Mode, styled
from core.figures.view import ComponentView, PlotView, Table, register
from core.language import _
from core.requests import LookAheadRequest, Request
from core.training.lookahead import LookAhead

Array = NDArray[np.float32]

WORKED_TOKENS = ("[BEGIN]", "John", "kicked", "the")
WORKED_SCORES = np.array(
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

    row: int = param(2, low=0, high=100_000)
    col: int = param(1, low=0, high=100_000)
    stage: int = param(2, low=0, high=20)


@dataclass(frozen=True, eq=False)
class Worked:
    """The four by four example: ``(4, 4)`` each."""

    scores: Array
    may: NDArray[np.bool_]
    weights: NDArray[np.float64]
    params: WorkedMask


@register
class WorkedExample(ComponentView[WorkedMask, Worked]):
    """Scores, scores under the causal mask, weights: an example small enough to do by hand."""

    name = "masks.worked"
    component = "matrix"
    Params = WorkedMask
    needs = "none"

    def title(self, record: Worked) -> str:
        return _("Four tokens, one head: scores, mask, softmax")

    def compute(self, runs: Sequence[Any], params: WorkedMask) -> Worked:
        may = np.tril(np.ones((4, 4), bool))
        return Worked(WORKED_SCORES, may, masked_softmax(WORKED_SCORES, may), params)

    def describe(self, record: Worked) -> Sentence:
        at = min(record.params.row, 3)
        return sentence(
            _("“{query}” keeps the scores {scores}; their softmax is {weights}. What is masked "
              "is exactly 0."),
            query=Mark(WORKED_TOKENS[at], "query"),
            scores=", ".join(number(float(s)) for s in record.scores[at, : at + 1]),
            weights=Mark(", ".join(f"{w:.3f}" for w in record.weights[at, : at + 1]), "weight"),
        )  # fmt: skip

    def errata(self, record: Worked) -> list[str]:
        """Where the lecture notes print something else, from the numbers computed here."""
        found = []
        for at, printed in enumerate(PRINTED_WEIGHTS):
            computed = record.weights[at, : at + 1]
            if np.abs(computed - np.array(printed)).max() > 0.001:
                found.append(
                    _("Row “{query}”: the slides print {printed}; the softmax of these scores is "
                      "{computed}.").format(
                        query=WORKED_TOKENS[at],
                        printed=", ".join(f"{p:.3f}" for p in printed),
                        computed=", ".join(f"{c:.3f}" for c in computed),
                    )
                )  # fmt: skip
        found.append(
            _("The slides leave −∞ in the masked cells after the softmax. Minus infinity is their "
              "score; e to the power of it is {zero}, so their weight is {zero}.").format(
                zero=number(float(record.weights[0, 3]))
            )
        )  # fmt: skip
        found.append(
            _("Another sheet writes the causal mask as “keep if i ≤ j” with i the query. With "
              "query i and key j, what is kept is j ≤ i: here query 2 keeps keys {kept}.").format(
                kept=", ".join(str(j) for j in np.flatnonzero(record.may[2]))
            )
        )  # fmt: skip
        return found

    def payload(self, record: Worked) -> Payload:
        axis = list(WORKED_TOKENS)
        grid: dict[str, Any] = {
            "rows": {"labels": axis, "field": "row", "role": "query"},
            "cols": {"labels": axis, "field": "col", "role": "key"},
            "max_cell": 76,
            "row_height": 44,
            "alt": str(self.describe(record)),
            "axes": [[_("rows: "), "plain"], [_("queries"), "query"],
                     [_(" · columns: "), "plain"], [_("keys"), "key"]],
        }  # fmt: skip
        cell = {"row": "row", "col": "col"}
        mask = {
            "kind": "mask",
            "title": _("May it look?"),
            "may": {"array": "may", **cell},
            # The step's own names: a row is a query, a column a key.
            "kept": _("The key does not come after the query: the score is kept."),
            "hidden": _("The key comes after the query: the score becomes −∞."),
        }
        soft = {
            "kind": "softmax",
            "title": _("Softmax over what is left"),
            "scores": {"array": "scores", "row": "row"},
            "weights": {"array": "weights", "row": "row"},
            "may": {"array": "may", "row": "row"},
            "at": "col",
            "names": "tokens",
        }
        title = _("How “{row}” weighs “{col}”")
        scores = {"array": "scores", "scale": {"kind": "signed", "limit": 10.0}}
        texts = [[number(float(s)) for s in row] for row in record.scores]
        given = {"kind": "value", "title": _("The score, given"), "name": "q · k / √d_head",
                 "result": {"array": "scores", **cell}}  # fmt: skip
        return Payload(
            {
                "sheets": [
                    grid | scores | {"tab": _("1 Scores"), "title": _("Scores"), "texts": texts,
                                     "how": {"title": title, "steps": [given | {"now": True}]}},
                    grid | scores | {"tab": _("2 Mask"), "title": _("Scores under the causal mask"),
                                     "texts": texts, "mask": "may", "masked_text": "−∞",
                                     "how": {"title": title,
                                             "steps": [given, mask | {"now": True}]}},
                    grid | {"tab": _("3 Softmax"), "title": _("Attention weights"),
                            "array": "weights", "scale": {"kind": "weight", "limit": 1.0},
                            "texts": [[f"{w:.3f}" for w in row] for row in record.weights],
                            "mask": "may", "masked_text": "0",
                            "how": {"title": title, "steps": [given, mask, soft | {"now": True}]}},
                ],
                "sheet_field": "stage",
                "sheet": min(record.params.stage, 2),
                "names": {"tokens": axis},
                "labels": tokens.matrix_labels(),
            },
            {
                "scores": record.scores,
                "may": record.may.astype(np.uint8),
                "weights": record.weights.astype(np.float32),
            },
        )  # fmt: skip

    def table(self, record: Worked) -> Table:
        return Table(
            (_("query"), _("key"), _("score"), _("may attend"), _("weight")),
            [
                (WORKED_TOKENS[i], WORKED_TOKENS[j], float(record.scores[i, j]),
                 int(record.may[i, j]), float(record.weights[i, j]))
                for i in range(4)
                for j in range(4)
            ],
        )  # fmt: skip

    def svg(self, record: Worked, mode: Mode) -> str:
        return svg.matrix(
            self.title(record),
            WORKED_TOKENS,
            WORKED_TOKENS,
            record.weights,
            mode,
            mask=record.may,
            texts=[[f"{w:.3f}" for w in row] for row in record.weights],
            alt=str(self.describe(record)),
            note=_("rows: queries · columns: keys · hatched: masked"),
        )


@dataclass(frozen=True, slots=True)
class LearningParams:
    """The experiment has no settings."""


@register
class Learning(PlotView[LearningParams, LookAhead]):
    """Two tiny models learn the same texts, one with a causal mask, one without any."""

    name = "masks.learning"
    Params = LearningParams
    needs = "none"

    def title(self, record: LookAhead) -> str:
        return _("Learning the next symbol, with and without a mask")

    def requests(self, params: LearningParams) -> tuple[Request, ...]:
        return (LookAheadRequest(),)

    def compute(self, runs: Sequence[Any], params: LearningParams) -> LookAhead:
        (run,) = runs
        assert isinstance(run, LookAhead)
        return run

    def describe(self, record: LookAhead) -> Sentence:
        return sentence(
            _("Without a mask the training loss falls to {seen} bits, below the {floor} that any "
              "honest prediction needs: the model reads the answer off the next position. Asked "
              "for a symbol that is not written yet it needs {unseen} bits. With the causal mask "
              "it is {causal_seen} and {causal_unseen}."),
            seen=Mark(number(float(record.unmasked.seen[-1])), "warning"),
            floor=number(record.floor),
            unseen=Mark(number(float(record.unmasked.unseen[-1])), "warning"),
            causal_seen=Mark(number(float(record.causal.seen[-1])), "accent"),
            causal_unseen=Mark(number(float(record.causal.unseen[-1])), "accent"),
        )  # fmt: skip

    def _lines(self, record: LookAhead) -> list[tuple[str, NDArray[np.float64], str, str]]:
        return [
            (_("no mask, answer in sight"), record.unmasked.seen, "warning", "solid"),
            (_("no mask, answer not written yet"), record.unmasked.unseen, "warning", "dash"),
            (_("causal mask, in training"), record.causal.seen, "accent", "solid"),
            (_("causal mask, answer not written yet"), record.causal.unseen, "accent", "dash"),
        ]

    def figure(self, record: LookAhead, mode: Mode) -> go.Figure:
        palette = PALETTES[mode]
        figure = go.Figure()
        for name, values, role, dash in self._lines(record):
            figure.add_scatter(
                x=record.steps,
                y=values,
                name=name,
                mode="lines",
                line={"color": getattr(palette, role), "dash": dash, "width": 2},
                hovertemplate="%{y:.4f}",
            )
        figure.add_hline(
            y=record.floor,
            line={"color": palette.residual, "dash": "dot", "width": 1},
            annotation_position="bottom left",
            annotation={
                "text": _("no honest prediction gets below {n} bit").format(
                    n=number(record.floor, 1)
                ),
                "font": {"color": palette.muted, "size": 12},
            },
        )
        figure.update_layout(hovermode="x unified", height=340)
        figure.update_yaxes(rangemode="tozero")
        return styled(
            figure, mode, title=self.title(record), x=_("training step"),
            y=_("loss, bits a symbol"),
        )  # fmt: skip

    def table(self, record: LookAhead) -> Table:
        lines = self._lines(record)
        return Table(
            (_("step"), *(name for name, *_rest in lines)),
            [
                (int(step), *(float(values[i]) for _name, values, *_rest in lines))
                for i, step in enumerate(record.steps)
            ],
        )
