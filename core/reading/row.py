"""One row of what a model is given, read: what stands at its positions, and its tensor."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import EmptyInputError, InputTooLongError, NoRoomError, ParameterError
from core.language import N_, Phrase
from core.tracing.trace import Stream
from core.units import Character


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One row of a batch, read.

    Attributes:
        stream: what stands at its positions and where it stood; without units where the model
            itself makes positions of it, as of a picture.
        pixels: of a picture, ``(C, height, width)``; None for a text.
        letters: the rows of each word's characters, ``(T, W)``, for a model that reads words
            spelt out; None for others.
        shuffle: the seed of an order that its positions have still to be brought into, by the
            model that makes them; None where they stand as they are to stand.
        types: the segment of each token; None for a row that has one.
        n_marks: how many of the tokens are the model's own marks.
        seconds: what it took the model to write it; 0 for what was given.
    """

    stream: Stream
    pixels: Tensor | None = None
    letters: Tensor | None = None
    shuffle: int | None = None
    types: tuple[int, ...] | None = None
    n_marks: int = 0
    seconds: float = 0.0

    @property
    def tensor(self) -> Tensor:
        """What the model computes with: ids ``(T,)``, letters ``(T, W)``, or the pixels."""
        if self.letters is not None:
            return self.letters
        return torch.tensor(self.stream.ids) if self.pixels is None else self.pixels

    def check(self, n_ctx: int, vocab_size: int) -> None:
        """See that a model with a table and a context can take it.

        Raises:
            EmptyInputError: it has no token.
            NoRoomError: the context does not even hold the marks.
            InputTooLongError: it is longer than the context.
            ParameterError: an id outside the vocabulary.
        """
        n = len(self.stream.units)
        if not n:
            raise EmptyInputError
        if self.n_marks > n_ctx:
            raise NoRoomError(n_ctx, self.n_marks)
        if n > n_ctx:
            by_character = isinstance(self.stream.units[0], Character)
            raise InputTooLongError(n_ctx, n, characters=by_character)
        for token_id in self.stream.ids:
            if not 0 <= token_id < vocab_size:
                raise ParameterError(
                    "id",
                    token_id,
                    Phrase(N_("between {low} and {high}"), low=0, high=vocab_size - 1),
                )
