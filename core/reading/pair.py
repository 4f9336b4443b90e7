"""Two segments of one input, with a mark between them."""

from __future__ import annotations

from core.encoders import Encoders
from core.inputs import Pair
from core.reading.kinds import Fitted, Room, TruncatedTexts, fitted, rows_of
from core.reading.row import BatchRow
from core.reading.text import check_marks, split
from core.tracing.trace import Stream


@rows_of.register
def _(given: Pair, encoders: Encoders) -> list[BatchRow]:
    tokenizer = encoders.tokenizer
    tokens, types = tokenizer.pair_tokens(given.first, given.second)
    n_marks = len(tokenizer.pair_tokens("", "")[0])
    return [BatchRow(Stream(tuple(tokens)), types=tuple(types), n_marks=n_marks)]


@fitted.register
def _(given: Pair, room: Room) -> Fitted:
    """The end of the second text is cut, then that of the first, until both fit together.

    A token of the second is kept, if there is room for two.
    """
    tokenizer = room.encoders.tokenizer

    def length(text: str) -> int:
        return len(tokenizer.tokens(text, masks=True))

    n_marks, alone = len(tokenizer.pair_tokens("", "")[0]), length("")
    check_marks(n_marks, room)
    n_left = room.n_ctx - n_marks
    for_second = min(1, length(given.second) - alone) if n_left > 1 else 0
    first, first_cut = split(given.first, n_left - for_second, tokenizer)
    second, second_cut = split(given.second, n_left - (length(first) - alone), tokenizer)
    return Fitted(Pair(first, second), (TruncatedTexts((first, second), first_cut + second_cut),))
