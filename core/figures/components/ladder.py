"""How a word becomes tokens, row by row: each symbol as wide as its bytes, or its letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from core.figures import drawing
from core.figures.components.base import COVERED, Component
from core.figures.drawing import rect
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode, Palette
from core.language import _
from core.locale import grouped

BYTE = 34.0  # pixels of a byte in a file
BOLD = "font-weight='700'"


Look = Literal["kept", "hit", "miss", "rest"]


@dataclass(frozen=True, slots=True)
class LadderSymbol:
    """A symbol: how it is written, and how many bytes or letters it stands for."""

    label: str
    bytes: int


@dataclass(frozen=True, slots=True)
class MergeOfRow:
    """What made a row: the place of the merge in the list, from 1, and where the new symbol is."""

    rank: int
    at: int | None


@dataclass(frozen=True, slots=True)
class Rung:
    """One row.

    Attributes:
        symbols: their ids.
        ranks: between every two of them, the place of their pair in the list of merges, from 1;
            None when it is not in it.
        joined: what made the row; None for the first.
        looks: of each symbol, where no pairs are joined but entries are looked up: it is "kept"
            from before, a "hit", a "miss", or the "rest"; none for symbols that are all alike.
        said: what the row says of itself, where that is no merge.
    """

    symbols: Sequence[int]
    ranks: Sequence[int | None]
    joined: MergeOfRow | None
    looks: Sequence[Look] = ()
    said: str = ""


@dataclass(frozen=True, slots=True)
class WordLadder:
    """A word from its bytes to its tokens.

    Attributes:
        title, alt, note: in words.
        bytes: that are drawn, or letters.
        rows: from the first to the last.
    """

    title: str
    alt: str
    note: str
    bytes: int
    rows: Sequence[Rung]


@dataclass(frozen=True, kw_only=True)
class Ladder(Component):
    """The ladders of all words of a text; equal words share one.

    Attributes:
        pieces: the symbols, by their ids.
        ladders: one a distinct word.
        of: for each word of the text the place of its ladder.
        first: the word that is shown while none is selected.
    """

    folder: ClassVar[str] = "ladder"

    pieces: Mapping[int, LadderSymbol]
    ladders: Sequence[WordLadder]
    of: Sequence[int]
    first: int

    def payload(self) -> Payload:
        labels = {
            "start": _("its bytes"),
            "merge": _("merge {n}"),
            "seam": _("where this merge stands in the list of merges"),
        }
        pieces = {str(symbol): piece for symbol, piece in self.pieces.items()}
        header = self.header(pieces=pieces, of=self.of, first=self.first, labels=labels)
        # The browser tells a first row, and a pair that is no merge, by null.
        return Payload(header | {"ladders": [_row_by_row(ladder) for ladder in self.ladders]})

    @property
    def shown(self) -> WordLadder:
        """The ladder of the selected word."""
        word = self.selection.get("word")
        index = self.first if word is None else int(word)
        return self.ladders[self.of[max(0, min(len(self.of) - 1, index))]]

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Ladder:
        """The bytes of the word that is shown: what is joined, and when, is what is asked."""
        word = self.shown
        first = word.rows[0].symbols
        rung = Rung(first, [None] * (len(first) - 1), None, said=word.rows[0].said)
        return Ladder(
            title=self.title, alt=_(COVERED), pieces={piece: self.pieces[piece] for piece in first},
            ladders=[WordLadder(word.title, _(COVERED), "", word.bytes, [rung])], of=[0], first=0,
        )  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        palette, ladder = PALETTES[mode], self.shown
        join = self.selection.get("join")
        last = (
            len(ladder.rows) - 1 if join is None else max(0, min(len(ladder.rows) - 1, int(join)))
        )
        body = [part for row in range(last + 1) for part in self._row(ladder, row, palette)]
        y = 44 + BYTE * (last + 1)
        if ladder.note:
            body.append(drawing.text(8, y + 4, ladder.note, palette.muted))
            y += 20
        width = max(BYTE * ladder.bytes + 130, 420.0, 16 + drawing.CHAR * len(ladder.note))
        return drawing.frame(width, y, ladder.title, ladder.alt, body, palette)

    def _row(self, ladder: WordLadder, row: int, palette: Palette) -> list[str]:
        rung, y = ladder.rows[row], 36.0 + BYTE * row
        # The pair that the next row joins stands out.
        following = ladder.rows[row + 1].joined if row + 1 < len(ladder.rows) else None
        body, x = [], 8.0
        for place, symbol in enumerate(rung.symbols):
            piece = self.pieces[symbol]
            wide = BYTE * piece.bytes
            look = rung.looks[place] if rung.looks else ""
            fresh = look == "hit" or (rung.joined is not None and rung.joined.at == place)
            edge = palette.accent if fresh else palette.border
            ground = palette.background if look in ("miss", "rest") else palette.surface
            broken = " stroke-dasharray='4 3'" if look == "miss" else ""
            body.append(rect(x, y, wide - 3, 20, ground, f"rx='4' stroke='{edge}'{broken}"))
            middle, ink = x + wide / 2 - 1, palette.muted if look == "rest" else palette.text
            body.append(drawing.text(middle, y + 14, piece.label, ink, "middle"))
            x += wide
            seam = rung.ranks[place] if place < len(rung.ranks) else None
            if seam is not None:
                chosen = following is not None and following.at == place
                ink, weight = (palette.accent, BOLD) if chosen else (palette.muted, "")
                body.append(drawing.text(x - 1, y + 31, grouped(seam), ink, "middle", weight))
        body.append(drawing.text(BYTE * ladder.bytes + 20, y + 14, _row_text(rung), palette.muted))
        return body


def _row_text(rung: Rung) -> str:
    """What a row says of itself in a file."""
    if rung.said:
        return rung.said
    merge = rung.joined
    return _("its bytes") if merge is None else _("merge {n}").format(n=grouped(merge.rank))


def _row_by_row(ladder: WordLadder) -> dict[str, object]:
    rows = [
        {
            "symbols": list(rung.symbols),
            "ranks": list(rung.ranks),
            "joined": None
            if rung.joined is None
            else {"rank": rung.joined.rank, "at": rung.joined.at},
            **({"looks": list(rung.looks)} if rung.looks else {}),
            **({"said": rung.said} if rung.said else {}),
        }
        for rung in ladder.rows
    ]
    return {"title": ladder.title, "alt": ladder.alt, "note": ladder.note, "bytes": ladder.bytes,
            "rows": rows}  # fmt: skip
