"""The state of texts that are being written, whatever machine writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from torch import Tensor

from core.tracing.tap import NO_TAP, Tap


class Decoder(Protocol):
    """What a machine keeps of the rows it has written so far.

    A Transformer's keys and values, beside a source that was projected once; the hidden state of
    a recurrent network: who writes asks no further.
    """

    @property
    def length(self) -> int:
        """Tokens of each row so far."""

    @property
    def room(self) -> int:
        """Tokens that can still be pushed."""

    @property
    def nbytes(self) -> int:
        """What is kept of them."""

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, n, V)`` after each of the tokens ``(B, n)`` that are added to the rows.

        Raises:
            InputTooLongError: there is no room for them.
        """

    def fork(self, rows: Sequence[int], room: int) -> Self:
        """Rows that go on from rows of this one, with room for more; this one stays as it is."""
