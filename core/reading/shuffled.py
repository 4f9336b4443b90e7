"""A text whose tokens stand in another order, or a picture whose patches do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.encoders import Encoders
from core.inputs import Picture, Shuffled, Text
from core.reading.kinds import Fitted, Room, fitted, rows_of
from core.reading.row import BatchRow
from core.tracing.trace import Stream
from core.units import Unit


@rows_of.register
def _(given: Shuffled, encoders: Encoders) -> list[BatchRow]:
    (row,) = rows_of(given.row, encoders)
    if row.pixels is not None:  # the model cuts it
        return [replace(row, shuffle=given.seed)]
    units = row.stream.units
    order = shuffled(units, given.seed)
    return [replace(row, stream=Stream(tuple(units[place] for place in order), order=order))]


@fitted.register
def _(given: Shuffled, room: Room) -> Fitted:
    fit = fitted(given.row, room)
    assert isinstance(fit.given, Text | Picture)
    return replace(fit, given=replace(given, row=fit.given))


def shuffled(units: Sequence[Unit], seed: int) -> tuple[int, ...]:
    """Which unit stands at each position after a shuffle; the model's marks keep their place."""
    places = [index for index, unit in enumerate(units) if not unit.special]
    order = list(range(len(units)))
    for place, source in zip(places, np.random.default_rng(seed).permutation(places), strict=True):
        order[place] = int(source)
    return tuple(order)
