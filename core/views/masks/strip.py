"""The tokens: what the selected one may see, and how its attention is shared among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.figures import tokens
from core.figures.components import Chip, Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Values
from core.language import _
from core.runs.results import Run
from core.views.masks.asked import UnderMask
from core.views.masks.of_mask import OfMask
from core.views.masks.run import PAD_LABEL, MaskRun, mask_run
from core.views.masks.words import reading, reading_with_leak


class MaskStrip(OfMask[MaskRun]):
    """One row of the mask on the tokens themselves; dashed where an answer can be seen."""

    name = "masks.strip"

    def compute(self, runs: Sequence[Run], params: UnderMask) -> MaskRun:
        return mask_run(runs, params)

    def values(self, record: MaskRun) -> Mapping[str, Values]:
        return record.values()

    def describe(self, record: MaskRun) -> Sentence:
        return reading_with_leak(record)

    def draw(self, record: MaskRun) -> Strip:
        title = _("What “{query}” may attend to").format(query=record.queries.words[record.query])
        square = record.attention.square
        leaks = np.flatnonzero(record.leaks.answer).tolist() if record.asks_next else []
        chips = _chips(record)
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=chips,
            cut=tokens.cut_text(record.cut),
            default=record.query,
            heading=None if square else sentence(_("Queries: tokens of the target")),
            marked=leaks,
            # Where the keys are other tokens, their weights stand in the matrix.
            heat=record("weights") if square else None,
            may=record.mask if square else None,
            heat_role="weight",
            heat_limit=1.0,
            heat_unit="share",
            readings=[reading(record, at) for at in range(len(chips))],
        )


def _chips(record: MaskRun) -> list[Chip]:
    """The queries; padding has a chip of its own."""
    stream = record.queries.stream
    chips = [tokens.chip(token) for token in stream.units]
    title = _("padding: it fills the row up to the longest sentence of the batch")
    for at in range(record.queries.n, len(chips)):
        chips[at] = replace(chips[at], label=PAD_LABEL, kind="special", title=title)
    return chips
