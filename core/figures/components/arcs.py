"""Attention as lines between two columns of tokens, as thick as their weight."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import COVERED, Component
from core.figures.drawing import CHAR
from core.figures.payload import Payload, as_bytes
from core.figures.theme import PALETTES, Mode
from core.language import _

ROLES = ("weight", "key", "value", "query", "position", "residual")  # colours tell heads apart
ROW, TOP = 20.0, 60.0


@dataclass(frozen=True, kw_only=True)
class Arcs(Component):
    """The heads of one layer.

    Attributes:
        queries, keys: the labels of the two columns.
        weights: ``(H, queries, keys)``, from 0 to 1.
        heads: "0:1,2": while head 0 is selected, lines of heads 1 and 2 are drawn; empty for
            those of the selected head.
        every: lines of every query are drawn, not those of the selected one alone.
        least_of_one, least_of_all: weights that are drawn, of one query and of all.
        note: beneath.
    """

    folder: ClassVar[str] = "arcs"

    queries: Sequence[str]
    keys: Sequence[str]
    weights: NDArray[np.floating[Any]]
    heads: str = ""
    every: bool = False
    least_of_one: float = 0.01
    least_of_all: float = 0.08
    note: str = ""

    def payload(self) -> Payload:
        labels = {"queries": _("queries"), "keys": _("keys"), "head": _("head"),
                  "every": _("all queries")}  # fmt: skip
        header = self.header(
            tokens=self.queries,
            keys=None if list(self.keys) == list(self.queries) else self.keys,
            least={"one": self.least_of_one, "all": self.least_of_all},
            title=self.title,
            note=self.note,
            labels=labels,
        )
        header["selection"] |= {"heads": self.heads, "every": int(self.every)}
        return Payload(header, {"weights": as_bytes(self.weights, 0.0, 1.0)})

    @property
    def drawn(self) -> list[int]:
        """The heads that are drawn: those chosen while this one was selected, else itself."""
        head = int(self.selection.get("head") or 0)
        by, _colon, listed = self.heads.partition(":")
        chosen = listed.split(",") if by == str(head) else []
        heads = {int(head) for head in chosen} & set(range(len(self.weights)))
        return sorted(heads) or [min(head, len(self.weights) - 1)]

    @property
    def query(self) -> int:
        """The selected query, if it is drawn at all."""
        return min(int(self.selection.get("token") or 0), len(self.queries) - 1)

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Arcs:
        """Both columns, without a line between them."""
        return dataclasses.replace(
            self, weights=np.zeros_like(self.weights), alt=_(COVERED), note="",
            selection={"token": 0, **chosen}, heads="", every=False,
        )  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        palette, heads = PALETTES[mode], self.drawn
        roles = {head: ROLES[head % len(ROLES)] if len(heads) > 1 else "weight" for head in heads}
        edge = 16 + CHAR * max(map(len, self.queries), default=1)
        left, right = edge + 6, edge + 306
        body = [
            drawing.text(edge, 48, _("queries"), palette.query, "end"),
            drawing.text(right + 6, 48, _("keys"), palette.key),
        ]
        for query, key, weight, head in self.lines():
            colour = drawing.role_colour(palette, roles[head])
            body.append(_curve(left, right, query, key, weight, colour))
        for row, label in enumerate(self.queries):
            strong = not self.every and row == self.query
            ink = palette.query if strong else palette.text
            bold = "font-weight='700'" if strong else ""
            body.append(drawing.text(edge, TOP + ROW * row + 12, label, ink, "end", bold))
        for row, label in enumerate(self.keys):
            body.append(drawing.text(right + 6, TOP + ROW * row + 12, label, palette.text))
        y = TOP + ROW * max(len(self.queries), len(self.keys)) + 20
        for head, role in roles.items():
            words, colour = _("head {h}").format(h=head), drawing.role_colour(palette, role)
            body.append(drawing.text(8, y, words, colour, "start", "font-weight='700'"))
            y += ROW
        body.append(drawing.text(8, y, self.note, palette.muted))
        keys = CHAR * max(map(len, self.keys), default=1)
        width = max(right + 16 + keys, 16 + 8.2 * len(self.title), 16 + CHAR * len(self.note))
        return drawing.frame(width, y + ROW, self.title, self.alt, body, palette)

    def lines(self) -> Iterator[tuple[int, int, float, int]]:
        """What is drawn: query, key, weight, head."""
        least = self.least_of_all if self.every else self.least_of_one
        for head in self.drawn:
            for query in range(len(self.queries)) if self.every else (self.query,):
                for key in np.flatnonzero(self.weights[head, query] >= least):
                    yield query, int(key), float(self.weights[head, query, key]), head


def _curve(left: float, right: float, query: int, key: int, weight: float, colour: str) -> str:
    a, b, middle = TOP + ROW * query + 8, TOP + ROW * key + 8, (left + right) / 2
    return (
        f"<path d='M{left:.1f} {a:.0f}C{middle:.1f} {a:.0f} {middle:.1f} {b:.0f} {right:.1f} "
        f"{b:.0f}' fill='none' stroke='{colour}' stroke-width='{0.6 + 5.4 * weight:.2f}' "
        f"stroke-opacity='{0.18 + 0.72 * weight:.2f}'/>"
    )
