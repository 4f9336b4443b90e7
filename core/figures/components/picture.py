"""A picture in its pixels, with the patches on it: pointed at, selected, or drawn on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures import drawing
from core.figures.components.base import Component
from core.figures.drawing import rect
from core.figures.payload import Payload
from core.figures.raster import ON_PICTURES, grey, heated, image
from core.figures.text import Sentence
from core.figures.theme import PALETTES, Mode
from core.language import _

SIDE = 336.0  # pixels of the longer side in a file


@dataclass(frozen=True, kw_only=True)
class PictureFigure(Component):
    """Pixels, a grid of patches over them, and for each patch a number by the selected one.

    Attributes:
        pixels: ``(height, width)`` grey, or ``(height, width, 3)``; 0 is black.
        patch: rows and columns of pixels of a patch; None for a picture that is in one piece.
        names: of each patch, what pointing at it says; with those before it that no patch is.
        first: the place of the first patch among them: 1 where a mark stands before the patches.
        heat: a number for each name and patch ``(names, patches)``; None for none.
        heat_role: how it is coloured.
        heat_words: what it is, "{name}" and "{value}" in it.
        field: of the selection, which names one of the names.
        readings: one for all, or one for each name.
    """

    folder: ClassVar[str] = "picture"
    draws: ClassVar[str] = "picture"

    pixels: NDArray[np.uint8]
    patch: int | None = None
    names: Sequence[str] = ()
    first: int = 0
    heat: NDArray[np.floating] | None = None
    heat_role: str = "weight"
    heat_words: str = "{value}"
    field: str = "token"
    readings: Sequence[Sentence] | None = None

    def payload(self) -> Payload:
        labels = {
            "draw": _("Draw"),
            "erase": _("Erase"),
            "clear": _("Clear"),
            "load": _("Load a picture"),
            "canvas": _("Drawing: arrow keys move the pen, the space bar draws, Shift with an "
                        "arrow key draws a line"),
            "at": _("row {row}, column {column}: {value}"),
            "failed": _("This file is no picture that the browser can read."),
        }  # fmt: skip
        header = self.header(
            patch=self.patch,
            names=self.names or None,
            first=self.first,
            heat_role=self.heat_role,
            heat_words=self.heat_words,
            field=self.field,
            readings=self.readings,
            title=self.title,
            # Of several readings the browser shows, and says, that of what is selected.
            alt=None if len(self.readings or ()) > 1 else self.alt,
            labels=labels,
        )
        arrays = {"pixels": self.pixels}
        more = {} if self.heat is None else {"heat": self.heat.astype(np.float32)}
        return Payload(header, {**arrays, **more})

    @property
    def index(self) -> int:
        """The name that is selected."""
        chosen = self.selection.get(self.field)
        return max(0, min(len(self.names) - 1, int(chosen or 0)))

    def drawing(self, mode: Mode) -> str:
        palette = PALETTES[mode]
        height, width = self.pixels.shape[:2]
        scale = SIDE / max(height, width)
        colours = grey(self.pixels)
        if self.heat is not None and self.patch is not None:
            shares = (
                self.heat[self.index] / (float(self.heat[self.index].max(initial=0.0)) or 1.0) * 255
            )
            squares = shares.reshape(height // self.patch, width // self.patch)
            colours = heated(colours, squares, ON_PICTURES, self.heat_role)
        body = [image(colours, 8, 32, width * scale, height * scale)]
        if self.patch is not None:
            body += self._grid(height, width, scale, palette.border)
            selected = self.index - self.first
            if self.names and selected >= 0:
                row, column = divmod(selected, width // self.patch)
                side = self.patch * scale
                look = f"stroke='{palette.accent}' stroke-width='2.5'"
                body.append(rect(8 + column * side, 32 + row * side, side, side, "none", look))
        y = 32 + height * scale + 20
        if self.readings:
            line = self.readings[min(self.index, len(self.readings) - 1)]
            body.append(drawing.text(8, y, str(line), palette.muted))
        return drawing.frame(SIDE + 16, y + 10, self.title, self.alt, body, palette)

    def _grid(self, height: int, width: int, scale: float, colour: str) -> list[str]:
        """The lines between the patches."""
        assert self.patch is not None
        right, bottom = 8 + width * scale, 32 + height * scale
        down = [drawing.line(8 + x * scale, 32, 8 + x * scale, bottom, colour)
                for x in range(0, width + 1, self.patch)]  # fmt: skip
        across = [drawing.line(8, 32 + y * scale, right, 32 + y * scale, colour)
                  for y in range(0, height + 1, self.patch)]  # fmt: skip
        return down + across
