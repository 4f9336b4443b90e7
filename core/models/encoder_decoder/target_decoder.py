"""Targets that are being written by a machine with an encoder and a decoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from core.decoding import one_row
from core.nn.attention import KeysValues
from core.nn.kv_cache import KVCache
from core.tracing.tap import NO_TAP, Tap

if TYPE_CHECKING:
    from core.models.encoder_decoder.machine import EncoderDecoder


class TargetDecoder:
    """Targets that are being written: their keys and values beside those of the sources.

    Args:
        model: the machine.
        memory: each block's keys and values of the source, projected once.
        source_mask: which positions of the source are no padding.
        cache: of the targets so far.
    """

    def __init__(
        self,
        model: EncoderDecoder,
        memory: Sequence[KeysValues],
        source_mask: Tensor | None,
        cache: KVCache,
    ) -> None:
        self._model, self._memory, self._source_mask = model, memory, source_mask
        self._cache = cache

    @property
    def length(self) -> int:
        """Tokens of each target so far."""
        return self._cache.length

    @property
    def room(self) -> int:
        """Tokens that can still be pushed."""
        return self._cache.room

    @property
    def nbytes(self) -> int:
        """What is kept: of the source once, of the target what is filled."""
        return self._cache.nbytes + sum(k.nbytes + v.nbytes for k, v in self._memory)

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, n, V)`` after each of the tokens ``(B, n)`` that are added.

        Raises:
            InputTooLongError: there is no room for them.
        """
        if self._source_mask is not None or not one_row.fits(ids, self.length, tap):
            return self._model.decode(
                ids, self._memory, source_mask=self._source_mask, cache=self._cache, tap=tap
            )
        self._cache.check_room(1)
        return self._step(ids)

    @cached_property
    def _step(self) -> Callable[[Tensor], Tensor]:
        """One more token of one row, with the weights at hand."""
        model, cache, side = self._model, self._cache, self._model.decoder
        row = model.first_row()
        bias = None if side.relative is None else side.relative(1, model.config.n_ctx)
        blocks = one_row.through(side.blocks, cache.layers, self._memory, bias)
        norm = None if side.final_norm is None else one_row.norm(side.final_norm)
        unembed = one_row.linear(model.table, model.bias)

        def step(ids: Tensor) -> Tensor:
            x = blocks(row(ids[0, 0], cache.length))
            return unembed(x if norm is None else norm(x))[None]

        return step

    def fork(self, rows: Sequence[int], room: int) -> TargetDecoder:
        """Targets that go on from rows of this one, each for itself; this one stays as it is.

        Args:
            rows: of this one.
            room: tokens to take memory for; at most what the context has left.
        """
        room = min(room, self._model.config.n_ctx - self.length)
        which = torch.tensor(list(rows))
        memory = [KeysValues(k[which.to(k.device)], v[which.to(v.device)]) for k, v in self._memory]
        mask = self._source_mask
        mask = None if mask is None else mask[which.to(mask.device)]
        return TargetDecoder(self._model, memory, mask, self._cache.fork(rows, room))
