"""What the frozen encoder makes of the text: a vector for each token, which the generator reads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.views.digits.drawing import OfDrawing, Shown

FULL = 0.99  # of the numbers have their own colour; single ones are far larger


class States(OfDrawing):
    """Rows are tokens, columns components of their vectors."""

    name = "digits.states"

    def values(self, record: Shown) -> Mapping[str, Values]:
        width = record.run.states.shape[1]
        axes = (
            Along("token", _("token"), record.labels),
            Along("component", _("component"), [str(n) for n in range(width)]),
        )
        return {"states": Values(_("encoder output"), record.run.states, axes)}

    def describe(self, record: Shown) -> Sentence:
        n, width = record.run.states.shape
        read = sentence(
            ngettext(
                "The text is {n} token for T5. Its encoder gives a vector of {width} numbers.",
                "The text is {n} tokens for T5. Its encoder gives each of them a vector of {width} "
                "numbers.",
                n,
            ),
            n=Mark(str(n), "accent"), width=str(width),
        )  # fmt: skip
        frozen = sentence(
            _("Nothing else about the text reaches the generator. The encoder learned from text "
              "alone and stayed frozen while the generator was trained.")
        )  # fmt: skip
        return join([read, frozen])

    def draw(self, record: Shown) -> Matrix:
        states = record.run.states
        limit = float(np.quantile(np.abs(states), FULL)) or 1.0
        title = _("Output of T5's encoder, one row per token")
        return Matrix(
            title=title,
            sheets=[
                Sheet(
                    title=title,
                    array="states",
                    rows=Axis(record.labels, "state_token", "query"),
                    cols=Axis([str(n) for n in range(states.shape[1])], "state_component",
                              "accent", hide=True),
                    scale=Scale("signed", limit),
                    axes=sentence(_("rows: tokens · columns: components")),
                    max_cell=14,
                )
            ],
            arrays={"states": np.ascontiguousarray(states, np.float32)},
        )  # fmt: skip
