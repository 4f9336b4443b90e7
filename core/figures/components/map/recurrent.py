"""Recurrent layers: of each direction its gates and its state, a row a step, one layer open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from core.figures.components.map.part import Array, NamedArrays, TowerPart, picture
from core.figures.drawing import CHAR

if TYPE_CHECKING:
    from core.figures.components.map.picture import RunDrawing
    from core.figures.components.map.towers import Tower


@dataclass(frozen=True, eq=False, kw_only=True)
class Cell:
    """A vector that a recurrent cell computes at each step: a gate, or a state.

    Attributes:
        name: of its site.
        label: above it.
        title: what pointing at the label says.
        role: how its numbers are coloured: gates lie between 0 and 1, states have signs.
        values: ``(layers, positions, cells)``.
    """

    name: str
    label: str
    title: str
    role: Literal["residual", "signed"]
    values: Array


@dataclass(frozen=True, eq=False, kw_only=True)
class ReadingDirection:
    """One direction in which a layer reads.

    Attributes:
        name: of the direction.
        label: above its strips; empty where there is but one.
        cells: what it computes at each step, in that order; the last is what it hands on.
    """

    name: str
    label: str
    cells: Sequence[Cell]


@dataclass(frozen=True, eq=False, kw_only=True)
class Recurrent(TowerPart):
    """Recurrent layers.

    Attributes:
        readings: the directions.
    """

    kind: ClassVar[str] = "recurrent"

    readings: Sequence[ReadingDirection]

    @property
    def n_layers(self) -> int:
        return len(self.readings[0].cells[0].values)

    def extras(self) -> dict[str, Any]:
        return {
            "readings": [
                {"name": reading.name, "label": reading.label, "cells": [
                    {"name": cell.name, "label": cell.label, "title": cell.title,
                     "role": cell.role} for cell in reading.cells
                ]}
                for reading in self.readings
            ]
        }  # fmt: skip

    def arrays(self) -> NamedArrays:
        for reading in self.readings:
            for cell in reading.cells:
                for layer in range(self.n_layers):
                    yield f"{reading.name}.{cell.name}.{layer}", picture(cell.values[layer])

    def draw(self, on: RunDrawing, tower: Tower) -> None:
        on.named(self.title)
        opened = on.flow.layer(self)
        handed: list[float] = []
        for layer in range(self.n_layers):
            if self.n_layers > 1:
                label = on.flow.labels["block"].replace("{i}", str(layer))
                colour = on.palette.accent if layer == opened else on.palette.muted
                on.write(on.x, on.label - 30, label, colour)
            for reading in self.readings:
                first = on.x
                cells = reading.cells if layer == opened else reading.cells[-1:]
                for cell in cells:
                    if cell is reading.cells[-1] and layer == self.n_layers - 1:
                        handed.append(on.x)
                    on.strip(cell.values[layer], on.sizes.cell, tower, label=cell.label,
                             role=cell.role)  # fmt: skip
                on.write(first, on.label - 15, reading.label, on.palette.muted)
                on.x = max(on.x, first + CHAR * len(reading.label) + 8)
        middle = handed[0] + on.sizes.cell / 2
        if self.takes:
            on.take([middle])
        on.give(self, middle, labelled=True)
