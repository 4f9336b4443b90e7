"""The mask as a matrix, what it lets through over all blocks, and the weights under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from core.figures.components import Matrix
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Values
from core.language import _
from core.runs.results import Run
from core.views.attention.head import key_name
from core.views.masks.asked import KINDS, UnderMask
from core.views.masks.of_mask import OfMask, mask_facts, mask_notes
from core.views.masks.run import MaskRun, mask_run
from core.views.masks.sheets import arrays, sheets
from core.views.masks.words import reading_with_leak
from core.views.nearest import nearest
from core.views.parts import head_at, titled
from core.views.view import Note

T = TypeVar("T")


class MaskGrid(OfMask[MaskRun]):
    """Up to four sheets: who may look, through all blocks, the weights, what changes in them."""

    name = "masks.grid"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> MaskRun:
        return mask_run(runs, params)

    def values(self, record: MaskRun) -> Mapping[str, Values]:
        found = record.values()
        if not record.attention.square:
            return found
        needed = np.where(record.leaks.needed < 0, np.nan, record.leaks.needed)
        label = _("layers until the query holds something of the key")
        may = found["may"]
        return found | {"blocks": Values(label, needed, may.axes, selected=may.selected)}

    def describe(self, record: MaskRun) -> Sentence:
        return _shown(record, _said(record))

    def draw(self, record: MaskRun) -> Matrix:
        titles = _titles(record)
        return Matrix(
            title=_shown(record, titles),
            selection=record.selection(),
            sheets=sheets(record, titles),
            sheet=record.params.sheet,
            sheet_field="sheet",
            names={"tokens": record.keys.labels, "words": record.queries.words},
            arrays=arrays(record),
        )

    def facts(self, record: MaskRun) -> Sequence[str]:
        return mask_facts(record)

    def site(self, record: MaskRun) -> str:
        return f"{record.prefix}scores_masked"

    def notes(self, record: MaskRun) -> Sequence[Note]:
        return mask_notes(record)


def _shown(record: MaskRun, of_sheets: Mapping[str, T]) -> T:
    """What belongs to the chosen sheet."""
    return list(of_sheets.values())[nearest("sheet", record.params.sheet, len(of_sheets) - 1)]


def _titles(record: MaskRun) -> dict[str, str]:
    """Of the sheets; between two streams nothing is handed on from block to block."""
    n_layers = record.attention.n_layers
    through = _("Which tokens can influence which, after {n} layers").format(n=n_layers)
    return {
        "who": _("Who may attend to whom: no mask")
        if record.spec.kind == "none"
        else _("Who may attend to whom: {kind}").format(kind=_(KINDS[record.spec.kind])),
        **({"through": through} if record.attention.square else {}),
        "weights": titled(_("Attention weights"), head_at(record)),
        "change": _("Weights under this mask minus weights under the model's own"),
    }


def _said(record: MaskRun) -> dict[str, Sentence]:
    """What each sheet shows, in words."""
    seen = reading_with_leak(record)
    has_weights = record("weights")[record.query].any()
    return {
        "who": seen,
        **({"through": join([_reach(record), seen])} if record.attention.square else {}),
        "weights": join([_most(record), seen]) if has_weights else seen,
        "change": join([_changed(record), seen]),
    }


def _reach(record: MaskRun) -> Sentence:
    """Which tokens can influence the query."""
    needed = record.leaks.needed[record.query]
    return sentence(
        _("After {n} layers, {heard} of {all} tokens can influence “{query}”, {direct} of "
          "them directly."),
        n=str(record.attention.n_layers),
        query=Mark(record.queries.words[record.query], "query"),
        heard=str(int((needed >= 0).sum())),
        all=str(len(needed)),
        direct=str(int(((needed >= 0) & (needed <= 1)).sum())),
    )  # fmt: skip


def _most(record: MaskRun) -> Sentence:
    """Whom the query attends to most."""
    weights = record("weights")[record.query]
    most = int(weights.argmax())
    return sentence(
        _("Under this mask “{query}” gives {share} of its attention to {key}."),
        query=Mark(record.queries.words[record.query], "query"),
        share=Mark(percent(float(weights[most])), "weight"),
        key=key_name(record, record.query, most),
    )


def _changed(record: MaskRun) -> Sentence:
    """The weight that changes most."""
    weights = record("weights")
    change = np.abs(weights - record.own)
    row, col = map(int, np.unravel_index(int(change.argmax()), change.shape))
    if not change[row, col]:
        return sentence(_("Every weight is the same as under the model's own mask."))
    return sentence(
        _("The weight of “{query}” for {key} changes most: from {before} under the model's "
          "own mask to {after} here."),
        query=Mark(record.queries.words[row], "query"),
        key=key_name(record, row, col),
        before=Mark(percent(float(record.own[row, col])), "weight"),
        after=Mark(percent(float(weights[row, col])), "weight"),
    )  # fmt: skip
