"""Tokens by their ids: nothing is cut, since somebody has chosen each."""

from __future__ import annotations

from core.encoders import Encoders
from core.inputs import Ids
from core.reading.kinds import Cut, Fitted, Room, fitted, rows_of
from core.reading.row import Row
from core.tracing.trace import Stream


@rows_of.register
def _(given: Ids, encoders: Encoders) -> list[Row]:
    return [Row(Stream(tuple(map(encoders.tokenizer.token, given.ids))))]


@fitted.register
def _(given: Ids, room: Room) -> Fitted:
    return Fitted(given, (Cut((room.encoders.tokenizer.decode(given.ids),)),))
