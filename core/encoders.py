"""Through what a model reads: from a text to tokens, from a picture to scaled pixels.

A model has none, one or several of them; they lie beside its weights.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError, NoPartError, ParameterError
from core.inputs import Picture, size_in_words
from core.language import N_, Phrase
from core.text.bpe import BPE
from core.text.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of one size, and how their pixels become numbers.

    Attributes:
        width, height: in pixels.
        channels: 1 for grey, 3 for red, green and blue.
        mean, std: of the training pictures, pixels counted from 0 to 1: a pixel x is read as
            ``(x / 255 - mean) / std``.
    """

    width: int
    height: int
    channels: int = 1
    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        if self.std <= 0:
            raise ConfigError("std", N_("must be positive"))
        try:
            _ = self.blank
        except ParameterError as wrong:
            raise ConfigError("width", N_("must be a side that a picture may have")) from wrong

    def read(self, picture: Picture) -> NDArray[np.float32]:
        """The numbers of a picture, ``(C, height, width)``.

        Raises:
            ParameterError: it has another size.
        """
        wanted = (self.width, self.height, self.channels)
        if (picture.width, picture.height, picture.channels) != wanted:
            raise ParameterError(
                "picture", picture.size, Phrase(N_("{size} pixels"), size=self.size)
            )
        pixels = np.frombuffer(picture.pixels, np.uint8).astype(np.float32) / 255
        across = pixels.reshape(self.height, self.width, self.channels)
        return ((across.transpose(2, 0, 1) - self.mean) / self.std).astype(np.float32)

    @property
    def size(self) -> str:
        """The sides as a picture says them: 28x28."""
        return size_in_words(self.width, self.height, self.channels)

    @property
    def blank(self) -> Picture:
        """A picture of this size, all black."""
        n = self.width * self.height * self.channels
        return Picture(self.width, self.height, bytes(n), self.channels)


@dataclass(frozen=True, eq=False)
class Encoders:
    """What a model reads its input through.

    Attributes:
        text: its tokenizer; None for a model that reads no text.
        pictures: the size and scale of its pictures; None for a model that sees none.
    """

    text: Tokenizer | None = None
    pictures: Pictures | None = None

    @property
    def tokenizer(self) -> Tokenizer:
        """That of the text.

        Raises:
            NoPartError: there is none.
        """
        if self.text is None:
            raise NoPartError(N_("text"))
        return self.text

    @cached_property
    def merges(self) -> BPE | None:
        """Its tokenizer's merges, for encoding step by step; None when it has none."""
        return None if self.text is None else BPE.of(self.text)

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides how an input is read."""
        of_text = self.text.fingerprint if self.text else ""
        return hashlib.blake2b(f"{of_text} {self.pictures!r}".encode(), digest_size=8).hexdigest()
