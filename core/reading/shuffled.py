"""A text whose tokens stand in another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.encoders import Encoders
from core.inputs import Shuffled, Text
from core.reading.kinds import Fitted, Room, fitted, rows_of
from core.reading.row import Row
from core.tracing.trace import Stream
from core.units import Unit


@rows_of.register
def _(given: Shuffled, encoders: Encoders) -> list[Row]:
    (row,) = rows_of(given.text, encoders)
    units = row.stream.units
    order = shuffled(units, given.seed)
    return [replace(row, stream=Stream(tuple(units[at] for at in order), order=order))]


@fitted.register
def _(given: Shuffled, room: Room) -> Fitted:
    text = fitted(given.text, room)
    assert isinstance(text.given, Text)
    return replace(text, given=replace(given, text=text.given))


def shuffled(units: Sequence[Unit], seed: int) -> tuple[int, ...]:
    """Which unit stands at each position after a shuffle; the model's marks keep their place."""
    places = [at for at, unit in enumerate(units) if not unit.special]
    order = list(range(len(units)))
    for place, at in zip(places, np.random.default_rng(seed).permutation(places), strict=True):
        order[place] = int(at)
    return tuple(order)
