"""Rows of different lengths in one padded batch."""

from __future__ import annotations

from typing import Any, cast

from core.encoders import Encoders
from core.inputs import Batch
from core.reading.kinds import Fitted, Room, fitted, rows_of
from core.reading.row import Row


@rows_of.register
def _(given: Batch, encoders: Encoders) -> list[Row]:
    return [row for one in given.rows for row in rows_of(one, encoders)]


@fitted.register
def _(given: Batch, room: Room) -> Fitted:
    each = [fitted(row, room) for row in given.rows]
    batch = Batch(tuple(cast("Any", one.given) for one in each))
    return Fitted(batch, tuple(row for one in each for row in one.rows))
