"""The likeliest pieces behind every [MASK]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.payload import as_shares
from core.figures.text import Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.guesses import Filled, HiddenPiece
from core.runs.requests import Request
from core.text.marks import MASK
from core.views.masked.gap import Hidden, Hiding, gap_requests, hidden
from core.views.view import View

N_COLUMNS = 5


class EachMask(View[Hiding, Hidden]):
    """Rows are hidden pieces; none when nothing is hidden."""

    name, Params, needs = "masked.each", Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return gap_requests(params)

    def compute(self, runs: Sequence[Filled], params: Hiding) -> Hidden:
        return hidden(runs, params)

    def values(self, record: Hidden) -> Mapping[str, Values]:
        masks = record.run.masks
        n = len(masks[0].tokens) if masks else 0
        position = Along("position", _("position"), [str(mask.position) for mask in masks])
        axes = (position, Along("rank", _("rank"), [str(rank) for rank in range(n)]))
        originals = [mask.original.label if mask.original else "" for mask in masks]
        ranks = [mask.rank if mask.original else np.nan for mask in masks]
        pieces = [token.label for mask in masks for token in mask.tokens]
        place = (_selected(record), 0) if masks else None
        return {
            "original": Values(_("hidden piece"), np.array(originals, object), (position,)),
            "original_probability": Values(
                _("its probability"), np.array([mask.prob for mask in masks]), (position,)
            ),
            "original_rank": Values(_("its rank"), np.array(ranks), (position,)),
            "piece": Values(_("piece"), np.array(pieces, object).reshape(len(masks), n), axes),
            "probability": Values(_("probability"), _probs(masks, n), axes, selected=place),
        }

    def absent(self, record: Hidden) -> bool:
        return not record.run.masks

    def describe(self, record: Hidden) -> Sentence:
        said = "; ".join(
            _("position {at}: “{piece}” {share}").format(
                at=mask.position,
                piece=mask.tokens[0].spoken,
                share=percent(float(mask.probs[0])),
            )
            for mask in record.run.masks
        )
        return sentence(_("{list}."), list=said or _("nothing is hidden"))

    def draw(self, record: Hidden) -> Matrix:
        masks = record.run.masks
        title = _("What {model} predicts behind each {mask}").format(model=record.masked, mask=MASK)
        axes = _("rows: hidden pieces · columns: the five most likely · stronger colour = "
                 "more likely")  # fmt: skip
        sheet = Sheet(
            title=title,
            array="probs",
            texts=[[token.label for token in mask.tokens[:N_COLUMNS]] for mask in masks],
            rows=Axis(
                [_label(mask) for mask in masks], "token", "query",
                ids=[mask.position for mask in masks],
            ),
            cols=Axis([str(i + 1) for i in range(N_COLUMNS)], "guess", "accent", hide=True),
            scale=Scale("accent", 1.0),
            max_cell=92,
            row_height=26,
            alt="",
            axes=sentence(axes) if masks else self.describe(record),
        )  # fmt: skip
        return Matrix(
            selection=record.selection(),
            sheets=[sheet],
            arrays={"probs": as_shares(_probs(masks, N_COLUMNS))},
        )


def _label(mask: HiddenPiece) -> str:
    """A position and what stands there."""
    return f"{mask.position} {mask.original.label if mask.original else MASK}"


def _selected(record: Hidden) -> int:
    """The row of the gap that is looked at."""
    at = record.run.looked[0]
    return next(n for n, mask in enumerate(record.run.masks) if mask.position == at)


def _probs(masks: Sequence[HiddenPiece], n: int) -> NDArray[np.float64]:
    """The probabilities of the likeliest ``n`` pieces, ``(masks, n)``."""
    return np.array([mask.probs[:n] for mask in masks], np.float64).reshape(len(masks), n)
