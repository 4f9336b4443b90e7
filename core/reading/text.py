"""A text: its tokens, and how much of it there is room for."""

from __future__ import annotations

from core.encoders import Encoders
from core.errors import NoRoomError
from core.inputs import Text
from core.reading.kinds import EXAMPLES, Fitted, Room, TruncatedTexts, fitted, rows_of
from core.reading.row import BatchRow
from core.text.tokenizer import Tokenizer
from core.tracing.trace import Stream


@rows_of.register
def _(given: Text, encoders: Encoders) -> list[BatchRow]:
    if encoders.by_character is not None:
        return [BatchRow(Stream(encoders.by_character.read(given.text)))]
    tokens = encoders.tokenizer.tokens(given.text, masks=True)
    return [BatchRow(Stream(tuple(tokens)), n_marks=len(encoders.tokenizer.tokens("")))]


@fitted.register
def _(given: Text, room: Room) -> Fitted:
    text, cut = fit(given.text, room)
    return Fitted(Text(text), (TruncatedTexts((text,), cut),))


EXAMPLES[Text] = lambda _encoders: Text("a")


def fit(text: str, room: Room) -> tuple[str, str]:
    """Split a text into what the context holds and what has to be cut off.

    Raises:
        NoRoomError: the context does not hold the model's own marks.
    """
    if room.encoders.by_character is not None:
        return text[: room.n_ctx], text[room.n_ctx :]
    n_marks = len(room.encoders.tokenizer.tokens(""))
    check_marks(n_marks, room)
    return split(text, room.n_ctx - n_marks, room.encoders.tokenizer)


def check_marks(n: int, room: Room) -> None:
    """See that there is room for a model's own marks.

    Raises:
        NoRoomError: there is not.
    """
    if n > room.n_ctx:
        raise NoRoomError(room.n_ctx, n)


def split(text: str, n: int, tokenizer: Tokenizer) -> tuple[str, str]:
    """The beginning of a text that is at most ``n`` tokens, marks not counted, and the rest."""

    def length(piece: str) -> int:
        return len(tokenizer.tokens(piece, masks=True))

    tokens = tokenizer.tokens(text, masks=True)
    most = n + length("")
    if len(tokens) <= most:
        return text, ""
    body = [token for token in tokens if not token.special or token.end > token.start]
    # A cut inside a word can make more tokens of what is left: go back in growing steps, then
    # forward again to the last place that fits.
    end, beyond, step = body[n - 1].end if n else 0, len(text), 1
    while end > 0 and length(text[:end]) > most:
        end, beyond, step = max(0, end - step), end, 2 * step
    while step > 1 and beyond - end > 1:
        middle = (end + beyond) // 2
        if length(text[:middle]) > most:
            beyond = middle
        else:
            end = middle
    return text[:end], text[end:]
