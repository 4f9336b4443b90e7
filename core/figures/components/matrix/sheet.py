"""One matrix: its axes, its colours, and the arithmetic behind its cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components.arithmetic import ArithmeticStep
from core.figures.components.base import COVERED
from core.figures.text import Sentence, number, percent
from core.language import _
from core.tracing.source import SourceLine


@dataclass(frozen=True, slots=True)
class Axis:
    """The rows or the columns.

    Attributes:
        labels: one a row.
        field: of the selection, which names a row by its place.
        role: colour of the selected one.
        ids: by which the selection names rows instead.
        of: value of the field -> row, where several values share one.
        room: pixels that names may take which are needed whole.
        window: how many are shown at once, where that is fewer than 48.
        hide: the labels are not drawn.
        found: which rows there are is a result, so that a covered figure leaves the labels out.
        around: of each label its number, what stands before a word, the word, and what stands
            behind it. Where there is too little room the ends are cut, never the word.
    """

    labels: Sequence[str]
    field: str
    role: str
    ids: Sequence[int | str] | None = None
    of: Sequence[int] | None = None
    room: int | None = None
    window: int | None = None
    hide: bool | None = None
    found: bool | None = None
    around: Sequence[tuple[str, str, str, str]] | None = None

    def covered(self) -> Axis:
        """The same with no label that is a result."""
        if not self.found:
            return self
        return dataclasses.replace(
            self, labels=["?"] * len(self.labels), ids=None, of=None, around=None
        )

    def chosen(self, selection: Mapping[str, Any]) -> int | None:
        """The row that the selection names."""
        value = selection.get(self.field)
        if value is None:
            return None
        if self.of is not None:
            return self.of[max(0, min(int(value), len(self.of) - 1))]
        if self.ids is not None:
            return list(self.ids).index(value) if value in self.ids else None
        return max(0, min(int(value), len(self.labels) - 1))


@dataclass(frozen=True, slots=True)
class Scale:
    """What a cell's colour means.

    Attributes:
        kind: "signed", "category", or the colour of a quantity.
        limit: the number at which the colour is full.
        limits: one for each row, where rows are of different size.
        zero: the number up to which a quantity has no colour.
    """

    kind: str
    limit: float | None = None
    limits: Sequence[float] | None = None
    zero: float = 0.0

    @property
    def shares(self) -> bool:
        """The numbers are shares of a whole, and are written in per cent."""
        whole = self.limit == 1.0 and not self.zero and self.limits is None
        return whole and self.kind in ("weight", "accent")

    def of(self, row: int) -> float:
        """The limit of a row."""
        if self.limits is not None:
            return float(self.limits[row])
        return 1.0 if self.limit is None else self.limit


@dataclass(frozen=True, slots=True)
class Category:
    """What one value of a sheet of categories stands for.

    Attributes:
        label: in words.
        role: its colour, ``share`` of the way up from the surface.
        text: written into the cell.
    """

    label: str
    role: str
    share: float | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class How:
    """The arithmetic beside the matrix.

    Attributes:
        title: with ``{row}`` and ``{col}`` for the selected cell's labels.
        steps: of every cell.
        per_row: in their place, of the cells of each row.
        sources: the line of code for each row, where they differ.
    """

    title: str
    steps: Sequence[ArithmeticStep] | None = None
    per_row: Sequence[Sequence[ArithmeticStep]] | None = None
    sources: Sequence[SourceLine | None] | None = None


@dataclass(frozen=True, slots=True)
class Paint:
    """Cells of 0 and 1 can be painted: the array, and the field of the selection they travel in."""

    array: str
    field: str


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One matrix; several of them share the selection.

    Attributes:
        title: what it shows.
        array: name of its values, ``(rows, columns)``.
        rows, cols: their axes.
        scale: of its colours.
        tab: its name on the tab, where that is shorter.
        mask: name of an array of 0 and 1; cells of 0 are hatched.
        masked_text: written into those.
        axes: what rows and columns are.
        glyph: "bars" draws a cell as a bar from its row's zero line.
        grows: rows below the selected one are not there yet.
        numbers: the value is written into a cell that has room.
        texts: what is written into each cell instead.
        counts: name of an array of whole numbers that are written instead.
        categories: what values 0, 1, ... stand for.
        least_cell, max_cell, row_height: of cells, in pixels.
        source: the line of code that computed it.
        how: the arithmetic of a cell.
        paint: it can be painted on.
        alt: its text alternative, where that is not its title; empty for the component's.
        nothing: said in the picture in place of its cells, as there is nothing to see in them.
    """

    title: str
    array: str
    rows: Axis
    cols: Axis
    scale: Scale
    tab: str | None = None
    mask: str | None = None
    masked_text: str | None = None
    axes: Sentence | None = None
    glyph: str | None = None
    grows: bool | None = None
    numbers: bool | None = None
    texts: Sequence[Sequence[str]] | None = None
    counts: str | None = None
    categories: Sequence[Category] | None = None
    least_cell: int | None = None
    max_cell: int | None = None
    row_height: int | None = None
    source: SourceLine | None = None
    how: How | None = None
    paint: Paint | None = None
    alt: str | None = None
    nothing: str | None = None

    @property
    def scaled(self) -> bool:
        """Its colours need a scale: no numbers or names stand in the cells, and no bars do."""
        written = self.numbers or self.texts or self.counts
        plain = self.categories is None and self.scale.limits is None
        return plain and not written and not self.glyph

    def format_value(self, value: float) -> str:
        """A number as it is written."""
        return percent(value) if self.scale.shares else number(value)

    def covered(self, shown: NDArray[np.float32], mask: str | None) -> Sheet:
        """The same without arithmetic, its colours set by the open numbers alone.

        Args:
            shown: the numbers that are open, the others NaN.
            mask: name of an array of 0 and 1 that may be seen.
        """
        sizes = np.abs(shown[np.isfinite(shown)])
        limit = float(sizes.max(initial=0.0)) or 1.0
        limits = None if self.scale.limits is None else [limit] * len(shown)
        # What categories are called says what may be found; without them a cell is a number.
        named = self.categories if len(sizes) else None
        kind = self.scale.kind if named or self.categories is None else "weight"
        scale = Scale(kind, None if self.scale.limit is None else limit, limits)
        return dataclasses.replace(
            self, scale=scale, how=None, texts=None, counts=None, source=None, mask=mask,
            paint=None, tab=None, grows=None, alt=_(COVERED),
            axes=None if mask is None else self.axes,
            categories=named, rows=self.rows.covered(), cols=self.cols.covered(),
        )  # fmt: skip

    def up_to_now(self) -> Sheet:
        """The same with the arithmetic up to the step whose result it shows."""
        steps = () if self.how is None else self.how.steps or ()
        marked = [n for n, step in enumerate(steps) if step.now]
        if self.how is None or not marked:
            return self
        how = dataclasses.replace(self.how, steps=steps[: marked[-1] + 1])
        return dataclasses.replace(self, how=how)


def signed_limit(values: NDArray[Any]) -> float:
    """Where a signed colour is full: the largest size, so that nothing finite is clipped."""
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
