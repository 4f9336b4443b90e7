"""What every kind of input brings: functions that the file of its name registers by its type."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import singledispatch

from core.encoders import Encoders
from core.inputs import Input
from core.reading.row import BatchRow


@dataclass(frozen=True, slots=True)
class Room:
    """What an input has to fit into.

    Attributes:
        encoders: through which it is read.
        n_ctx: positions that the model has; 0 for one that takes pictures alone.
    """

    encoders: Encoders
    n_ctx: int


@dataclass(frozen=True, slots=True)
class TruncatedTexts:
    """What became of the texts of a row.

    Attributes:
        texts: what is run of them, one a segment; none of a picture.
        cut: what did not fit.
    """

    texts: tuple[str, ...] = ()
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Fitted:
    """An input that a model has room for.

    Attributes:
        given: the input, cut.
        rows: what became of each row; an input that is no batch has one.
    """

    given: Input
    rows: tuple[TruncatedTexts, ...]


@singledispatch
def rows_of(given: Input, _encoders: Encoders) -> list[BatchRow]:
    """The rows of an input, as they are, whether or not a model has room for them."""
    raise TypeError(f"nobody reads a {type(given).__name__}")


@singledispatch
def fitted(given: Input, _room: Room) -> Fitted:
    """An input cut to a model's room.

    Raises:
        NoRoomError: not even the model's own marks fit.
    """
    raise TypeError(f"nobody fits a {type(given).__name__}")


# By kind, for those that can stand for all that a model reads: what to try it with first.
EXAMPLES: dict[type[Input], Callable[[Encoders], Input]] = {}


def example(takes: Collection[type[Input]], encoders: Encoders) -> Input:
    """Something that a model can read, whatever it is.

    Args:
        takes: the kinds of input that it reads.
        encoders: through which it does.
    """
    return next(make for kind, make in EXAMPLES.items() if kind in takes)(encoders)
