"""Tokens by their ids: nothing is cut, since somebody has chosen each."""

from __future__ import annotations

from core.encoders import Encoders
from core.inputs import Ids
from core.reading.kinds import Fitted, Room, TruncatedTexts, fitted, rows_of
from core.reading.row import BatchRow
from core.tracing.trace import Stream


@rows_of.register
def _(given: Ids, encoders: Encoders) -> list[BatchRow]:
    return [BatchRow(Stream(tuple(map(encoders.tokenizer.token, given.ids))))]


@fitted.register
def _(given: Ids, room: Room) -> Fitted:
    return Fitted(given, (TruncatedTexts((room.encoders.tokenizer.decode(given.ids),)),))
