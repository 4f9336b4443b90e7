"""Rows of different lengths in one padded batch."""

from __future__ import annotations

from typing import Any, cast

from core.encoders import Encoders
from core.inputs import Batch
from core.reading.kinds import Fitted, Room, fitted, rows_of
from core.reading.row import BatchRow


@rows_of.register
def _(given: Batch, encoders: Encoders) -> list[BatchRow]:
    return [row for inputs in given.rows for row in rows_of(inputs, encoders)]


@fitted.register
def _(given: Batch, room: Room) -> Fitted:
    fits = [fitted(row, room) for row in given.rows]
    batch = Batch(tuple(cast("Any", fit.given) for fit in fits))
    return Fitted(batch, tuple(row for fit in fits for row in fit.rows))
