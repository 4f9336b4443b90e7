"""What an encoder reads and a decoder writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from torch import Tensor

from core.encoders import Encoders
from core.errors import EmptyInputError
from core.inputs import Batch, Ids, Input, Padded, Shuffled, SourceTarget, Text
from core.models.blueprint import SOURCE, TARGET
from core.reading.kinds import Fitted, Room, TruncatedTexts, fitted, rows_of
from core.reading.row import BatchRow
from core.reading.text import split
from core.text.tokenizer import Tokenizer
from core.tracing.trace import Stream


@fitted.register
def _(given: SourceTarget, room: Room) -> Fitted:
    text = Text(given.source) if isinstance(given.source, str) else given.source
    source = fitted(text, room)
    assert isinstance(source.given, Text | Ids | Shuffled | Padded)
    target, (row,) = given.target, source.rows
    if isinstance(target, str):
        # Behind its start mark.
        target, cut = split(target, room.n_ctx - 1, room.encoders.tokenizer)
        row = TruncatedTexts((*row.texts, target), row.cut + cut)
    return Fitted(SourceTarget(source.given, target), (row,))


def read_both(
    given: Input,
    encoders: Encoders,
    n_ctx: int,
    vocab_size: int,
    *,
    start_id: int,
    write: Callable[[Tensor], Sequence[int]],
) -> list[Mapping[str, BatchRow]]:
    """The rows of what a model with an encoder and a decoder is given, with both streams.

    Args:
        given: its sources, or sources and targets.
        encoders: the model's.
        n_ctx, vocab_size: its limits, on either side.
        start_id: the token that every target begins with.
        write: from the ids of a source ``(1, S)`` to those of a target, for one that has none.

    Raises:
        EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``BatchRow.check``.
    """
    rows: list[Mapping[str, BatchRow]] = []
    for row in given.rows if isinstance(given, Batch) else (given,):
        both = row if isinstance(row, SourceTarget) else None
        source_given = row if both is None else both.source
        source_input = Text(source_given) if isinstance(source_given, str) else source_given
        (source,) = rows_of(source_input, encoders)
        source.check(n_ctx, vocab_size)
        target_given = None if both is None else both.target
        if target_given is None:
            target = _written(source, encoders.tokenizer, write)
        else:
            target = _target_row(target_given, encoders.tokenizer, start_id)
        target.check(n_ctx, vocab_size)
        rows.append({SOURCE: source, TARGET: target})
    if not rows:
        raise EmptyInputError
    return rows


def _written(
    source: BatchRow, tokenizer: Tokenizer, write: Callable[[Tensor], Sequence[int]]
) -> BatchRow:
    began = time.perf_counter()
    ids = write(source.tensor[None])
    written = Stream(tuple(map(tokenizer.token, ids)), written=True)
    return BatchRow(written, seconds=time.perf_counter() - began)


def _target_row(target: str | Ids, tokenizer: Tokenizer, start_id: int) -> BatchRow:
    if isinstance(target, Ids):
        return BatchRow(Stream(tuple(map(tokenizer.token, target.ids)), written=True))
    return BatchRow(Stream((tokenizer.token(start_id), *tokenizer.body(target))), n_marks=1)
