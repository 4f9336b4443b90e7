"""Through what a model reads: from a text to tokens, from a picture to scaled pixels.

A model has none, one or several of them; they lie beside its weights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigError, NoPartError, ParameterError
from core.inputs import Picture, size_in_words
from core.language import N_, Phrase
from core.text.bpe import BPE
from core.text.tokenizer import Tokenizer
from core.text.unigram import Unigram
from core.text.wordpiece import WordPiece
from core.units import Character, Token


@dataclass(frozen=True, slots=True)
class PictureEncoder:
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
        expected = (self.width, self.height, self.channels)
        if (picture.width, picture.height, picture.channels) != expected:
            raise ParameterError(
                "picture", picture.size, Phrase(N_("{size} pixels"), size=self.size)
            )
        pixels = np.frombuffer(picture.pixels, np.uint8)
        return self.numbers(pixels.reshape(1, self.height, self.width, self.channels))[0]

    def numbers(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Pixels ``(B, height, width, C)`` as the model reads them: ``(B, C, height, width)``."""
        scaled = (pixels.astype(np.float32) / 255 - self.mean) / self.std
        return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2), np.float32)

    @property
    def size(self) -> str:
        """The sides as a picture says them: 28x28."""
        return size_in_words(self.width, self.height, self.channels)

    @property
    def blank(self) -> Picture:
        """A picture of this size, all black."""
        n = self.width * self.height * self.channels
        return Picture(self.width, self.height, bytes(n), self.channels)


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters that a model knows by themselves.

    Attributes:
        alphabet: each has the row of its place in it, counted from 1; row 0 is for all others.
    """

    alphabet: str

    def __post_init__(self) -> None:
        if len(set(self.alphabet)) < len(self.alphabet):
            raise ConfigError("alphabet", N_("must name no character twice"))

    @property
    def n_entries(self) -> int:
        """Rows of the embedding table."""
        return len(self.alphabet) + 1

    def read(self, text: str) -> tuple[Character, ...]:
        """The characters of a text."""
        return tuple(
            Character(self.alphabet.find(char) + 1, char, index) for index, char in enumerate(text)
        )

    def entry(self, id_: int) -> Character:
        """The character of a row of the embedding table."""
        return Character(id_, self.alphabet[id_ - 1] if id_ else "\N{REPLACEMENT CHARACTER}", 0)


@dataclass(frozen=True, slots=True)
class Spelling:
    """How the words of a text are spelt out: also those that its tokenizer has no entry for.

    Row 0 of the table is padding, then come the beginning and the end of a word, then all
    characters that are not in the alphabet, then the alphabet. A mark such as ``<s>`` is spelt
    without beginning and end, so no word of a text reads like it.

    Attributes:
        alphabet: characters of lower-cased words.
        longest: rows that a word is read by, its beginning and end included; the middle of a
            longer one is cut.
    """

    BEGIN: ClassVar[int] = 1
    END: ClassVar[int] = 2
    OTHER: ClassVar[int] = 3
    alphabet: str
    longest: int

    def __post_init__(self) -> None:
        if len(set(self.alphabet)) < len(self.alphabet):
            raise ConfigError("alphabet", N_("must name no character twice"))
        if self.longest < 3:
            raise ConfigError("longest", Phrase(N_("must be at least {n}"), n=3))

    @property
    def n_entries(self) -> int:
        """Rows of the table of characters."""
        return len(self.alphabet) + self.OTHER + 1

    def words(self, words: Sequence[str], *, marks: bool = False) -> NDArray[np.int64]:
        """The rows of each word's characters, ``(N, longest)``; ``marks``: they are no words."""
        row = {char: n for n, char in enumerate(self.alphabet, self.OTHER + 1)}
        letters = np.zeros((len(words), self.longest), np.int64)
        for n, word in enumerate(words):
            rows = [row.get(char, self.OTHER) for char in word]
            if not marks:
                rows = [self.BEGIN, *rows[: self.longest - 2], self.END]
            rows = rows[: self.longest]
            letters[n, : len(rows)] = rows
        return letters

    def read(self, tokens: Sequence[Token]) -> NDArray[np.int64]:
        """The same of tokens that are whole words or marks."""
        rows = [
            self.words([token.data.decode(errors="replace")], marks=token.special)
            for token in tokens
        ]
        return np.concatenate(rows) if rows else self.words([])


@dataclass(frozen=True, eq=False)
class Encoders:
    """What a model reads its input through.

    Attributes:
        text: its tokenizer; None for a model that reads no text, or reads it letter by letter.
        characters: its alphabet; None for a model that reads no single characters.
        pictures: the size and scale of its pictures; None for a model that sees none.
        spelling: how the words of its tokenizer are spelt out; None for a model that has a row
            for each of them.
    """

    text: Tokenizer | None = None
    characters: Characters | None = None
    pictures: PictureEncoder | None = None
    spelling: Spelling | None = None

    @property
    def tokenizer(self) -> Tokenizer:
        """That of the text.

        Raises:
            NoPartError: there is none.
        """
        if self.text is None:
            raise NoPartError(N_("text"))
        return self.text

    @property
    def by_character(self) -> Characters | None:
        """The alphabet of a model that reads a text letter by letter, not token by token."""
        return self.characters if self.text is None else None

    def entry(self, id_: int) -> Token | Character:
        """What stands in a row of the table: a token of the vocabulary, or a character.

        Raises:
            NoPartError: there is no text.
        """
        if self.by_character is not None:
            return self.by_character.entry(id_)
        return self.tokenizer.token(id_)

    @cached_property
    def merges(self) -> BPE | None:
        """Its tokenizer's merges, for encoding step by step; None when it has none."""
        return None if self.text is None else BPE.of(self.text)

    @cached_property
    def pieces(self) -> WordPiece | Unigram | None:
        """Its tokenizer's entries, where it cuts by them alone, for encoding step by step."""
        return None if self.text is None else WordPiece.of(self.text) or Unigram.of(self.text)

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides how an input is read."""
        of_text = self.text.fingerprint if self.text else ""
        text = f"{of_text} {self.characters!r} {self.pictures!r}"
        if self.spelling is not None:
            text += f" {self.spelling!r}"
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
