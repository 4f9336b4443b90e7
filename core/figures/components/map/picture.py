"""The run as a drawing for a file: the towers from left to right, part after part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.figures import drawing
from core.figures.components.map.heads import Heads
from core.figures.components.map.part import Array, TowerPart
from core.figures.components.map.sizes import ALONE, BESIDE
from core.figures.components.map.towers import Tower
from core.figures.drawing import CHAR, rect
from core.figures.text import percent
from core.figures.theme import Palette

if TYPE_CHECKING:
    from core.figures.components.map.flow import Flow

GAP, BETWEEN = 14.0, 40.0  # pixels between parts, and between towers
TITLE, EDGE = 26.0, 22.0  # of height, for the towers' titles and for the lines between them


class RunDrawing:
    """A run that is being drawn, from left to right; each part draws itself with it.

    Args:
        shown: the run.
        palette: of the page.
    """

    def __init__(self, shown: Flow, palette: Palette) -> None:
        self.flow, self.palette = shown, palette
        several = len(shown.towers) > 1
        self.sizes = BESIDE if several else ALONE
        self.rows = max(len(tower.tokens) for tower in shown.towers)
        self.row = max(16.0, min(26.0, 380 / self.rows))
        self.heading = 46.0 + (TITLE if several else 0.0)
        self.label = self.heading + 26 + (EDGE if several else 0.0)
        self.top = self.label + 12
        self.x, self.bottom = 8.0, self.top + self.rows * self.row
        self.body: list[str] = []
        self.given: tuple[float, float, str] | None = None  # where an edge begins; what it carries
        self.taken: list[float] = []  # where edges end

    def svg(self) -> str:
        """The whole drawing."""
        for n, tower in enumerate(self.flow.towers):
            self.x += BETWEEN - GAP if n else 0
            self.tower(tower)
        if self.given is not None and self.taken:
            self.edges(*self.given, self.taken)
        self.named(self.flow.labels["logits"])
        self.strip(self.flow.answer.logits, self.sizes.final, self.flow.towers[-1],
                   self.flow.labels["logits"])  # fmt: skip
        self.words()
        for line in self.flow.foot:
            self.bottom += 20
            self.write(8, self.bottom, line, self.palette.muted)
        width = max(self.x, 16 + CHAR * max(map(len, self.flow.foot)))
        return drawing.frame(
            width, self.bottom + 14, self.flow.title, self.flow.alt, self.body, self.palette
        )

    # --- a tower -------------------------------------------------------------------------

    def tower(self, tower: Tower) -> None:
        """Its tokens, then its parts."""
        start = self.x
        if tower.title is not None:
            self.write(start, 46, tower.title, self.palette.muted, bold=True)
        self.tokens(tower)
        for part in tower.parts:
            part.draw(self, tower)
        self.x = max(self.x, start + CHAR * len(tower.title or "") + GAP)

    def tokens(self, tower: Tower) -> None:
        self.named(self.flow.labels["tokens"])
        names = [chip.label for chip in tower.tokens]
        for i, name in enumerate(names):
            chosen = i == self.flow.row(tower)
            colour = self.palette.accent if chosen else self.palette.text
            self.write(self.x, self.top + (i + 0.5) * self.row + 4, name, colour, bold=chosen)
        self.advance(0, self.flow.labels["tokens"], *names)

    def strip(
        self, values: Array, width: float, tower: Tower, heading: str = "", label: str = "",
        role: str = "signed",
    ) -> None:  # fmt: skip
        """A vector a token; the row of the selected one is outlined."""
        # Few components are far larger than the rest; they are drawn full. Shares are full at 1.
        limit = float(np.quantile(np.abs(values), 0.97)) if role == "signed" else 1.0
        y = self.top + min(self.flow.row(tower), len(values) - 1) * self.row
        self.write(self.x, self.label, label, self.palette.muted)
        self.body += [
            drawing.thumbnail(values, self.x, self.top, width, len(values) * self.row,
                              self.palette, role=role, limit=limit),
            rect(self.x, y, width, self.row, "none", f"stroke='{self.palette.accent}'"),
        ]  # fmt: skip
        self.advance(width, heading, label)

    def heads(self, kind: Heads, layer: int, heading: str = "") -> None:
        """The heads of a layer, large, the chosen one outlined."""
        n, side, opened = kind.n_heads, self.sizes.drawn, self.flow.opened
        across = self.sizes.across[n > 6]
        self.write(self.x, self.label, kind.label, self.palette.muted)
        for head in range(n):
            x = self.x + head % across * (side + 10)
            y = self.top + head // across * (side + 24)
            self.one_head(kind, layer, head, x, y, side)
            if kind.named:
                name = self.flow.labels["head"].replace("{h}", str(head))
                self.write(x, y + side + 13, name, self.palette.muted)
            if (kind.attention, head) == (opened.attention, opened.head):
                stroke = f"stroke='{self.palette.weight}' stroke-width='2'"
                self.body.append(rect(x - 3, y - 3, side + 6, side + 6, "none", stroke))
            self.bottom = max(self.bottom, y + side + 16)
        self.advance(min(n, across) * (side + 10), kind.label, heading)

    def one_head(self, kind: Heads, layer: int, head: int, x: float, y: float, side: float) -> None:
        values = kind.maps[layer, head]
        self.body.append(drawing.thumbnail(values, x, y, side, side, self.palette, limit=1.0))

    # --- from tower to tower -------------------------------------------------------------

    def give(self, part: TowerPart, x: float, *, labelled: bool = False) -> None:
        """Begin an edge above a picture that later towers take something of, or above its label."""
        if part.gives is not None:
            self.given = x, (self.label - 14 if labelled else self.top - 4), part.gives

    def take(self, ends: Sequence[float]) -> None:
        """End edges here, if there is what is given."""
        self.taken += ends

    def edges(self, start: float, begin: float, carried: str, ends: Sequence[float]) -> None:
        """Lines from an earlier tower's last picture into parts of later ones."""
        y, colour = self.heading + 12, self.palette.key
        end = self.label - 14
        line = f"M{start:.1f} {begin:.1f}V{y:.1f}H{max(ends):.1f}"
        drops = "".join(f"M{x:.1f} {y:.1f}V{end:.1f}" for x in ends)
        heads = "".join(f"M{x - 4:.1f} {end - 2:.1f}h8l-4 6z" for x in ends)
        self.body += [
            f"<path d='{line}{drops}' fill='none' stroke='{colour}' stroke-width='1.5'/>",
            f"<path d='{heads}' fill='{colour}'/>",
            drawing.text(start + 8, y + 15, carried, colour),
        ]

    # --- what is said --------------------------------------------------------------------

    def words(self) -> None:
        """What the model expects at the selected token."""
        answer, tower = self.flow.answer, self.flow.towers[-1]
        self.named(answer.heading)
        row = self.flow.row(tower)
        after = answer.at.replace("{token}", tower.tokens[row].label)
        self.write(self.x, self.label, after, self.palette.muted)
        last = min(row, len(answer.words) - 1)
        words, shares = answer.words[last], answer.probs[last]
        bars = self.x + CHAR * max(map(len, words)) + 8
        for i, (word, share) in enumerate(zip(words, shares, strict=True)):
            y = self.top + 22 * i
            colour = self.palette.accent if i == 0 else self.palette.text
            long = max(2.0, 56 * float(share) / max(float(shares[0]), 1e-9))
            bold, faint = ("font-weight='700'", "") if i == 0 else ("", "fill-opacity='0.5'")
            self.body += [
                drawing.text(bars - 8, y + 12, word, colour, "end", bold),
                rect(bars, y, long, 14, self.palette.accent, faint),
                drawing.text(bars + 64, y + 12, percent(float(share)), self.palette.text),
            ]
        self.bottom = max(self.bottom, self.top + 22 * len(words))
        self.x = max(bars + 64 + CHAR * 9, self.x + CHAR * len(after)) + 8

    # --- strokes -------------------------------------------------------------------------

    def named(self, words: str) -> None:
        """The heading of what is drawn next."""
        self.write(self.x, self.heading, words, self.palette.text, bold=True)

    def write(self, x: float, y: float, words: str, colour: str, *, bold: bool = False) -> None:
        extra = "font-weight='700'" if bold else ""
        self.body.append(drawing.text(x, y, words, colour, extra=extra))

    def advance(self, width: float, *words: str) -> None:
        """Go on to the right of what was drawn and of what is written over it."""
        self.x += max([width, *(CHAR * len(word) for word in words)]) + GAP
