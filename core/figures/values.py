"""A view's numbers, named: the one source of its CSV, of questions, of checked facts, of notebooks.

Names and axes are stable and never translated; labels and units are in the learner's language.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LINES = 2_000  # of a table that are written at once


@dataclass(frozen=True, slots=True)
class Along:
    """One axis of an array.

    Attributes:
        name: stable: "query", "key", "token", "layer", "unit".
        header: the same in the learner's language.
        labels: one for each place; tokens are labels, too.
    """

    name: str
    header: str
    labels: Sequence[str]


@dataclass(frozen=True, eq=False)
class Values:
    """One named array.

    Attributes:
        label: what it is, in the learner's language.
        array: numbers or texts, with an axis for each of ``axes``; a single value has none.
        axes: in order.
        unit: of the numbers, in the learner's language; empty for none.
        site: that they are read from, where there is one.
        selected: the place that the learner selected.
    """

    label: str
    array: NDArray[Any]
    axes: tuple[Along, ...] = ()
    unit: str = ""
    site: str | None = None
    selected: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        shape = tuple(len(axis.labels) for axis in self.axes)
        if self.array.shape != shape:
            raise ValueError(f"{self.label!r}: array {self.array.shape}, axes {shape}")

    @property
    def value(self) -> Any:
        """The selected number."""
        return self.array[self.selected or ()]

    @property
    def title(self) -> str:
        """The label with its unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


def to_csv(values: Mapping[str, Values]) -> str:
    """All the numbers as comma-separated text; no cell starts a spreadsheet formula.

    Arrays over the same axes share a table. One array over two axes is a table of rows and
    columns; anything else has a line for each place, its labels first. Several tables stand one
    below the other, an empty line between them.
    """
    return "".join(csv_pieces(values))


def csv_pieces(values: Mapping[str, Values]) -> Iterator[str]:
    """The same in pieces, so that a large one need not be in memory at once."""
    groups: dict[tuple[tuple[str, int], ...], list[Values]] = {}
    for entry in values.values():
        key = tuple((axis.name, len(axis.labels)) for axis in entry.axes)
        groups.setdefault(key, []).append(entry)
    for n, group in enumerate(groups.values()):
        if n:
            yield "\n"
        rows = _grid(group[0]) if len(group) == 1 and len(group[0].axes) == 2 else _lines(group)
        while some := list(itertools.islice(rows, LINES)):
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(some)
            yield out.getvalue()


def _grid(values: Values) -> Iterator[list[Any]]:
    """Rows and columns."""
    down, across = values.axes
    yield _labels([f"{down.header} \\ {across.header}", *across.labels])
    for label, row in zip(_labels(down.labels), values.array, strict=True):
        yield [label, *_cells(row)]


def _lines(group: Sequence[Values]) -> Iterator[list[Any]]:
    """A line for each place."""
    axes = group[0].axes
    yield _labels([*(axis.header for axis in axes), *(entry.title for entry in group)])
    places = itertools.product(*(_labels(axis.labels) for axis in axes))
    flat = [column.array.reshape(-1) for column in group]
    for start in range(0, len(flat[0]), LINES):
        columns = (_cells(column[start : start + LINES]) for column in flat)
        for cells in zip(*columns, strict=True):
            yield [*next(places), *cells]


def _cells(values: NDArray[Any]) -> list[Any]:
    """Numbers as Python writes them, in full; nothing for one that is not there."""
    if values.dtype.kind == "f":
        return ["" if math.isnan(value) else value for value in values.tolist()]
    return [_harmless(_cell(value)) for value in values.tolist()]


def _labels(words: Sequence[str]) -> list[str]:
    return [_harmless(word) for word in words]


def _cell(value: Any) -> Any:
    """One of an array of texts, or of anything."""
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or (isinstance(plain, float) and np.isnan(plain)):
        return ""
    return plain


def _harmless(cell: Any) -> Any:
    """Texts that a spreadsheet would run as a formula get an apostrophe in front."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + cell
    return cell
