"""Every layer and head at a glance: its map as a small picture, or one number for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import COVERED, Component
from core.figures.drawing import cell_colour, ink_on, rect
from core.figures.payload import Payload, as_bytes
from core.figures.text import number
from core.figures.theme import PALETTES, Mode
from core.language import _

THUMBNAIL = 48  # cells a side at most: larger maps are pooled
SIDE = 72.0  # pixels of a head in a file
LEFT = 84.0  # where the first column starts


@dataclass(frozen=True, slots=True)
class HeadScore:
    """One number for each head.

    Attributes:
        label: its name.
        array: its name in the payload.
        limit: where its colour is full.
        note: what it says, in words.
        values: ``(layers, heads)``.
    """

    label: str
    array: str
    limit: float
    note: str
    values: NDArray[np.floating[Any]]


def pooled(weights: NDArray[np.floating[Any]], side: int = THUMBNAIL) -> NDArray[np.uint8]:
    """A map as bytes; its largest weights are kept when it is pooled to ``side`` cells."""
    for axis in (0, 1):
        n = weights.shape[axis]
        if n > side:
            cuts = np.linspace(0, n, side + 1).astype(int)[:-1]
            weights = np.maximum.reduceat(weights, cuts, axis)
    return as_bytes(weights, 0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class HeadGrid(Component):
    """All heads of one kind of attention.

    Attributes:
        maps: ``(layers, heads, rows, columns)`` bytes, pooled.
        scores: what may stand for a head in place of its map.
        names: what a head does on this text, where a score says so clearly.
        rows, columns: what the layers and the heads are called; empty where there is but one, or
            where attention is not cut into heads.
        shown: "maps", or the array of a score.
    """

    folder: ClassVar[str] = "head_grid"

    maps: NDArray[np.uint8]
    scores: Sequence[HeadScore]
    names: Sequence[Sequence[str]]
    rows: Sequence[str]
    columns: Sequence[str]
    shown: str = "maps"

    def payload(self) -> Payload:
        note = _("Each square is one head: rows are queries, columns are keys. Click a head to "
                 "enlarge it.")  # fmt: skip
        alone = _("Each square is one head: rows are queries, columns are keys.")
        if not any(self.columns):
            note = alone = _("Rows are queries, columns are keys.")
        # In a lesson it stands alone: a click chooses a head, and no other figure shows it larger.
        labels = {"maps": _("maps"), "maps_note": note, "maps_alone": alone}
        scores = [
            {"label": s.label, "array": s.array, "limit": s.limit, "note": s.note}
            for s in self.scores
        ]
        header = self.header(scores=scores, names=self.names, title=self.title, labels=labels,
                             rows=self.rows, columns=self.columns)  # fmt: skip
        header["selection"] |= {"score": self.shown}
        arrays = {score.array: score.values.astype(np.float32) for score in self.scores}
        return Payload(header, {"maps": self.maps, **arrays})

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> HeadGrid:
        """A square for each head, with nothing in it; one is the page's, whatever it shows."""
        layers, heads = self.maps.shape[:2]
        selection = {name: self.selection.get(name) for name in ("layer", "head")}
        return HeadGrid(
            title=self.title, alt=_(COVERED), selection=selection, scores=(),
            maps=np.zeros((layers, heads, 1, 1), np.uint8), names=[[""] * heads] * layers,
            rows=self.rows, columns=self.columns,
        )  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        palette = PALETTES[mode]
        score = next((score for score in self.scores if score.array == self.shown), None)
        layers, heads = self.maps.shape[:2]
        chosen = (self.selection.get("layer"), self.selection.get("head"))
        body = []
        for head in range(heads):
            x = LEFT + head * (SIDE + 8)
            name = self.columns[head]
            body.append(drawing.text(x + SIDE / 2, 42, name, palette.muted, "middle"))
        for layer in range(layers):
            y = 48 + layer * (SIDE + 8)
            name = self.rows[layer]
            body.append(drawing.text(LEFT - 8, y + SIDE / 2, name, palette.muted, "end"))
            for head in range(heads):
                x = LEFT + head * (SIDE + 8)
                if score is None:
                    share = self.maps[layer, head] / 255.0
                    body.append(drawing.thumbnail(share, x, y, SIDE, SIDE, palette))
                else:
                    value = float(score.values[layer, head])
                    fill = cell_colour(palette, "weight", value, score.limit)
                    body.append(rect(x, y, SIDE, SIDE, fill))
                    body.append(drawing.text(x + SIDE / 2, y + SIDE / 2 + 4, number(value, 2),
                                             ink_on(fill), "middle"))  # fmt: skip
                if (layer, head) == chosen:
                    stroke = f"stroke='{palette.accent}' stroke-width='2'"
                    body.append(rect(x - 2, y - 2, SIDE + 4, SIDE + 4, "none", stroke))
        bottom = 60 + layers * (SIDE + 8)
        note = "" if score is None else score.note
        body.append(drawing.text(8, bottom + 6, note, palette.muted))
        width = max(LEFT + 8 + heads * (SIDE + 8), 16 + drawing.CHAR * len(note))
        return drawing.frame(width, bottom + 20, self.title, self.alt, body, palette)
