r"""What a model can be given, as frozen plain data: a cache's key, a part of a link.

::

    Text("The cat sat")                   one text
    Pair("It rained.", "He got wet.")     two segments of one input (BERT)
    Ids((5, 17, 4))                       tokens by their ids
    SourceTarget("Bonjour", "Hello")      the two sides of an encoder and a decoder
    Batch((Text("a"), Ids((5, 17, 4))))   rows of one padded batch: a run for each
    Shuffled(Text("The cat sat"), 3)      the same tokens in another order
    Padded(Text("a"), ("a longer one",))  one row of such a batch, its padding in sight
    Picture(2, 1, b"\x00\xff")            pixels, row by row
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import ClassVar, get_args

from core.errors import ParameterError
from core.language import N_, Phrase
from core.locale import Choice
from core.seeds import checked_seed
from core.spelling import composed


def _compose(value: object, *names: str) -> None:
    """Read texts of a learner with each letter and its accents as one character."""
    for name in names:
        text = getattr(value, name)
        if isinstance(text, str):
            object.__setattr__(value, name, composed(text))


@dataclass(frozen=True, slots=True)
class Text:
    """One text.

    Attributes:
        text: as it was typed; ``[MASK]`` in it hides a word from a model that fills them in.
    """

    READING: ClassVar[str] = N_("read a text")
    text: str

    def __post_init__(self) -> None:
        _compose(self, "text")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two segments of one input."""

    READING: ClassVar[str] = N_("read two segments")
    first: str
    second: str

    def __post_init__(self) -> None:
        _compose(self, "first", "second")


@dataclass(frozen=True, slots=True)
class Ids:
    """Tokens by their ids; a text that a model made may be cut otherwise when it is read anew."""

    READING: ClassVar[str] = N_("read a text by its ids")
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SourceTarget:
    """What an encoder reads and a decoder writes.

    Attributes:
        source: of the encoder; a string is a text.
        target: of the decoder: a text, what the model itself has written before as ids, its
            start mark first, or None when it is to write it itself, greedily.
    """

    READING: ClassVar[str] = N_("read a source and a target")
    source: str | Text | Ids | Shuffled | Padded
    target: str | Ids | None = None

    def __post_init__(self) -> None:
        _compose(self, "source", "target")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of different lengths in one padded batch; the result is a run for each."""

    READING: ClassVar[str] = N_("read several texts at once")
    rows: tuple[Text | Pair | Ids | SourceTarget | Picture, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A text whose tokens stand in another order, or a picture whose patches do.

    The model's own marks keep their places.

    Attributes:
        row: whose tokens or patches.
        seed: draws the order.
    """

    READING: ClassVar[str] = N_("read its input in another order")
    row: Text | Picture
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

    READING: ClassVar[str] = N_("read a text with padding behind it")
    row: Text | Shuffled
    beside: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "beside", tuple(map(composed, self.beside)))


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in pixels; in a link, a file or a lesson it is a text, see ``as_text``.

    Attributes:
        width, height: in pixels.
        pixels: a byte for each channel of each pixel, row by row; 0 is black.
        channels: 1 for grey, 3 for red, green and blue.
    """

    READING: ClassVar[str] = N_("read a picture")
    width: int
    height: int
    pixels: bytes
    channels: int = 1

    def __post_init__(self) -> None:
        n = self.width * self.height * self.channels
        sides = min(self.width, self.height) > 0 and self.channels in (1, 3)
        if not sides or len(self.pixels) != n or len(self.as_text()) > LONGEST_PICTURE:
            raise ParameterError("picture", self.size, PICTURE_FORM)

    @property
    def size(self) -> str:
        """The sides, see ``size_in_words``."""
        return size_in_words(self.width, self.height, self.channels)

    def as_text(self) -> str:
        """The size and the pixels in base64 for links: "28x28:AAAA…"."""
        return f"{self.size}:{urlsafe_b64encode(self.pixels).decode().rstrip('=')}"

    @classmethod
    def of_text(cls, text: str) -> Picture:
        """The picture that a text stands for, from whomever it comes.

        Raises:
            ParameterError: it stands for none.
        """
        fits = len(text) <= LONGEST_PICTURE
        match = re.fullmatch(PICTURE_PATTERN, text) if fits else None
        if match is None or len(match[4]) % 4 == 1:  # no bytes have so many characters
            excerpt = text if len(text) <= SAID else f"{text[:SAID]}…"
            raise ParameterError("picture", excerpt, PICTURE_FORM)
        width, height, channels, pixels = match.groups()
        data = urlsafe_b64decode(pixels + "=" * (-len(pixels) % 4))
        return cls(int(width), int(height), data, int(channels or 1))


def size_in_words(width: int, height: int, channels: int) -> str:
    """The sides of a picture: 28x28; with the channels where there are several: 32x32x3."""
    return f"{width}x{height}{f'x{channels}' if channels > 1 else ''}"


LONGEST_PICTURE = 6000  # characters of a picture's text
SAID = 40  # of them that an error repeats
PICTURE_FORM = N_("a size such as 28x28, a colon, and the pixels as base64")
PICTURE_PATTERN = r"([0-9]{1,3})x([0-9]{1,3})(?:x(3))?:([A-Za-z0-9_-]*)"

Input = Text | Pair | Ids | SourceTarget | Batch | Shuffled | Padded | Picture
ONE_TEXT: frozenset[type[Input]] = frozenset({Text, Ids, Batch, Shuffled, Padded})


def each_of(given: Input) -> tuple[Input, ...]:
    """An input, of a batch every row besides, and of what is shuffled what it was.

    Raises:
        ParameterError: what is no input, such as a string in a batch.
    """
    inputs = [given, *(given.rows if isinstance(given, Batch) else ())]
    inputs += [input_.row for input_ in inputs if isinstance(input_, Shuffled)]
    for input_ in inputs:
        if not isinstance(input_, Input):
            kinds = Choice([kind.__name__ for kind in get_args(Input)])
            raise ParameterError("input", input_, Phrase(N_("one of {choices}"), choices=kinds))
    return tuple(inputs)
