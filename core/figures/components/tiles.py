"""Small pictures in a grid: what each head attends to, the maps of a convolution, samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import Component, Follow
from core.figures.drawing import CHAR, rect
from core.figures.payload import Payload
from core.figures.raster import ON_PICTURES, Colours, grey, heated, image, tinted
from core.figures.theme import PALETTES, Mode, Palette

SIDE = 72.0  # pixels of a tile in a file
GAP = 8.0


@dataclass(frozen=True, slots=True)
class Tile:
    """One small picture.

    Attributes:
        title: what pointing at it says.
        caption: beneath it; empty for none.
    """

    title: str
    caption: str = ""


@dataclass(frozen=True, kw_only=True)
class Tiles(Component):
    """Pictures of one size, row by row.

    Attributes:
        tiles: in order; where there are several frames, those of the first, then of the second.
        pictures: bytes ``(tiles, height, width)``, or one for all ``(1, height, width)``.
        columns: of the grid.
        side: pixels of a tile: of its side in a file, and at most on a screen.
        fields: of the selection, which together name a tile: ("layer", "head").
        shape: how many values each of them has; their product is the number of tiles.
        role: the hue of the pictures, from the surface up; None for pixels as they are.
        heat: over each picture ``(tiles, names, rows, columns)`` bytes; None for none.
        heat_role: how it is coloured.
        heat_field: of the selection, which names one of its names.
        alts: what ``alt`` is for each of these names, or of the frames where there are several;
            none where it is the same.
        heads, sides: of columns and rows; none where they have no names.
        note: beneath.
        frames: states of the grid, of which one is shown; each has as many tiles.
        frame_field: of the selection, which names the frame; the last one while it is empty.
    """

    folder: ClassVar[str] = "tiles"

    tiles: Sequence[Tile]
    pictures: NDArray[np.uint8]
    columns: int
    side: float = SIDE
    fields: Sequence[str] = ()
    shape: Sequence[int] = ()
    role: str | None = None
    heat: NDArray[np.uint8] | None = None
    heat_role: str = "weight"
    heat_field: str = "token"
    alts: Sequence[str] = ()
    heads: Sequence[str] = ()
    sides: Sequence[str] = ()
    note: str | None = None
    frames: int = 1
    frame_field: str = ""

    def payload(self) -> Payload:
        names = ("tiles", "columns", "side", "fields", "shape", "role", "heat_role", "heat_field",
                 "heads", "sides", "note", "title", "frames", "frame_field")  # fmt: skip
        alts = {"alts": self.alts or [self.alt]}
        header = self.header(**{name: getattr(self, name) for name in names} | alts)
        more = {} if self.heat is None else {"heat": self.heat}
        return Payload(header, {"pictures": self.pictures, **more})

    @property
    def tile(self) -> int | None:
        """The tile that is selected; None where none can be, or is."""
        chosen = [self.selection.get(field) for field in self.fields]
        if not chosen or any(index is None for index in chosen):
            return None
        places = [max(0, min(n - 1, int(index or 0)))
                  for n, index in zip(self.shape, chosen, strict=True)]  # fmt: skip
        return int(np.ravel_multi_index(places, tuple(self.shape)))

    @property
    def first(self) -> int:
        """The first tile of the frame that is shown."""
        frame = Follow(self.frame_field).state(self.selection, self.frames)
        return frame * (len(self.tiles) // self.frames)

    @property
    def shown(self) -> Sequence[Tile]:
        """The tiles of that frame."""
        return self.tiles[self.first : self.first + len(self.tiles) // self.frames]

    def colours(self, n: int, palette: Palette) -> Colours:
        """One tile of the frame as it is shown."""
        n += self.first
        pixels = self.pictures[n if len(self.pictures) > 1 else 0]
        shown = grey(pixels) if self.role is None else tinted(pixels, palette, self.role)
        if self.heat is None:
            return shown
        row = min(int(self.selection.get(self.heat_field) or 0), self.heat.shape[1] - 1)
        return heated(shown, self.heat[n, row], ON_PICTURES, self.heat_role)

    def drawing(self, mode: Mode) -> str:
        palette = PALETTES[mode]
        height, width = self.pictures.shape[1:3]
        tall = self.side * height / width
        captions = max((len(tile.caption) for tile in self.shown), default=0)
        wide = max(self.side, CHAR * captions)
        left = 8 + max((CHAR * len(side) + 8 for side in self.sides), default=0.0)
        top = 54.0 if self.heads else 32.0
        down = tall + GAP + (18 if captions else 0)
        middle = left + self.side / 2
        body = [drawing.text(middle + (wide + GAP) * i, 46, head, palette.muted, "middle")
                for i, head in enumerate(self.heads)]  # fmt: skip
        for i, side in enumerate(self.sides):
            body.append(
                drawing.text(left - 8, top + down * i + tall / 2, side, palette.muted, "end")
            )
        for n, tile in enumerate(self.shown):
            row, column = divmod(n, self.columns)
            x, y = left + (wide + GAP) * column, top + down * row
            body.append(image(self.colours(n, palette), x, y, self.side, tall))
            is_selected = n == self.tile
            look = f"stroke='{palette.accent if is_selected else palette.border}'"
            look += f" stroke-width='{2.5 if is_selected else 1}'"
            body.append(rect(x, y, self.side, tall, "none", look))
            if tile.caption:
                body.append(drawing.text(x, y + tall + 14, tile.caption, palette.text))
        bottom = top + down * -(-len(self.shown) // self.columns) + 14
        if self.note:
            body.append(drawing.text(8, bottom, self.note, palette.muted))
        right = max(left + (wide + GAP) * self.columns, 16 + CHAR * len(self.note or ""),
                    16 + 8.2 * len(self.title))  # fmt: skip
        return drawing.frame(right, bottom + 10, self.title, self.alt, body, palette)
