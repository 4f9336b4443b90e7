"""What a model can be given, as frozen plain data: a cache's key, a part of a link.

::

    Text("The cat sat")                   one text
    Pair("It rained.", "He got wet.")     two segments of one input (BERT)
    Ids((5, 17, 4))                       tokens by their ids
    SourceTarget("Bonjour", "Hello")      the two sides of an encoder and a decoder
    Batch((Text("a"), Ids((5, 17, 4))))   rows of one padded batch: a run for each
    Shuffled(Text("The cat sat"), 3)      the same tokens in another order
    Padded(Text("a"), ("a longer one",))  one row of such a batch, its padding in sight
"""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import ParameterError
from core.language import N_, Phrase
from core.locale import Choice
from core.seeds import checked_seed


@dataclass(frozen=True, slots=True)
class Text:
    """One text.

    Attributes:
        text: as it was typed; ``[MASK]`` in it hides a word from a model that fills them in.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two segments of one input."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Ids:
    """Tokens by their ids; a text that a model made may be cut otherwise when it is read anew."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SourceTarget:
    """What an encoder reads and a decoder writes.

    Attributes:
        source: of the encoder; a string is a text.
        target: of the decoder: a text, what the model itself has written before as ids, its
            start mark first, or None when it is to write it itself, greedily.
    """

    source: str | Text | Ids | Shuffled | Padded
    target: str | Ids | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of different lengths in one padded batch; the result is a run for each."""

    rows: tuple[Text | Pair | Ids | SourceTarget, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A text whose tokens stand in another order; the model's own marks keep their places.

    Attributes:
        text: whose tokens.
        seed: draws the order.
    """

    text: Text
    seed: int

    def __post_init__(self) -> None:
        checked_seed(self.seed)


@dataclass(frozen=True, slots=True)
class Padded:
    """A row filled up to the longest of other texts, as it stands in a batch with them.

    The padding is traced like any position.

    Attributes:
        row: the text itself.
        beside: the others.
    """

    row: Text | Shuffled
    beside: tuple[str, ...]


Input = Text | Pair | Ids | SourceTarget | Batch | Shuffled | Padded
ONE_TEXT: frozenset[type[Input]] = frozenset({Text, Ids, Batch, Shuffled, Padded})

# "{model} cannot …" where it does not take one (translate with ``_`` where it is shown).
READING: dict[type[Input], str] = {
    Text: N_("read a text"),
    Pair: N_("read two segments"),
    Ids: N_("read a text by its ids"),
    SourceTarget: N_("read a source and a target"),
    Batch: N_("read several texts at once"),
    Shuffled: N_("read a text in another order"),
    Padded: N_("read a text with padding behind it"),
}


def each_of(given: Input) -> tuple[Input, ...]:
    """An input, and of a batch every row besides.

    Raises:
        ParameterError: what is no input, such as a string in a batch.
    """
    found = (given, *given.rows) if isinstance(given, Batch) else (given,)
    for one in found:
        if type(one) not in READING:
            kinds = Choice([kind.__name__ for kind in READING])
            raise ParameterError("input", one, Phrase(N_("one of {choices}"), choices=kinds))
    return found
