"""A row filled up to the longest of other texts."""

from __future__ import annotations

from dataclasses import replace

from core.encoders import Encoders
from core.inputs import Padded, Shuffled, Text
from core.reading.kinds import Fitted, Room, fitted, rows_of
from core.reading.row import BatchRow
from core.reading.text import fit


@rows_of.register
def _(given: Padded, encoders: Encoders) -> list[BatchRow]:
    (row,) = rows_of(given.row, encoders)
    stream, tokenizer = row.stream, encoders.tokenizer
    longest = max((len(tokenizer.tokens(text, masks=True)) for text in given.beside), default=0)
    n = max(0, longest - len(stream.units))
    padding = (tokenizer.token(tokenizer.pad_id),) * n
    return [replace(row, stream=replace(stream, units=stream.units + padding, n_padding=n))]


@fitted.register
def _(given: Padded, room: Room) -> Fitted:
    row = fitted(given.row, room)
    assert isinstance(row.given, Text | Shuffled)
    beside = tuple(fit(text, room)[0] for text in given.beside)
    return replace(row, given=Padded(row.given, beside))
