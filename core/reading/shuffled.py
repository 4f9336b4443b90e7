"""A text whose tokens stand in another order, or a picture whose patches do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.encoders import Encoders
from core.inputs import Picture, Shuffled, Text
from core.reading.kinds import Fitted, Room, fitted, rows_of
from core.reading.row import Row
from core.tracing.trace import Stream
from core.units import Unit


@rows_of.register
def _(given: Shuffled, encoders: Encoders) -> list[Row]:
    (row,) = rows_of(given.row, encoders)
    if row.pixels is not None:  # the model cuts it
        return [replace(row, shuffle=given.seed)]
    units = row.stream.units
    order = shuffled(units, given.seed)
    return [replace(row, stream=Stream(tuple(units[at] for at in order), order=order))]


@fitted.register
def _(given: Shuffled, room: Room) -> Fitted:
    found = fitted(given.row, room)
    assert isinstance(found.given, Text | Picture)
    return replace(found, given=replace(given, row=found.given))


def shuffled(units: Sequence[Unit], seed: int) -> tuple[int, ...]:
    """Which unit stands at each position after a shuffle; the model's marks keep their place."""
    places = [at for at, unit in enumerate(units) if not unit.special]
    order = list(range(len(units)))
    for place, at in zip(places, np.random.default_rng(seed).permutation(places), strict=True):
        order[place] = int(at)
    return tuple(order)
