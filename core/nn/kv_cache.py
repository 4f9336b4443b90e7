"""The key-value cache: what decoding keeps, so that a step computes only its newest token.

A cache is an argument, owned by whoever writes; the model keeps no state.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import InputTooLongError


class LayerCache:
    """Keys and values of one layer, in memory taken once: ``(B, H, room, Dh)`` each.

    Args:
        keys, values: the memory.
        trunk: keys and values that stand before all others and never change: ``(B, H, T, Dh)``,
            or one row that all rows share; None for none.
    """

    def __init__(
        self, keys: Tensor, values: Tensor, trunk: tuple[Tensor, Tensor] | None = None
    ) -> None:
        self._keys, self._values, self._trunk = keys, values, trunk
        self._before = 0 if trunk is None else trunk[0].shape[-2]
        self._own = 0

    @property
    def length(self) -> int:
        """Positions stored so far."""
        return self._before + self._own

    @property
    def nbytes(self) -> int:
        """What they take; a shared row counts once."""
        return sum(part.nbytes for part in (*(self._trunk or ()), *self._new()))

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Store the newest keys and values; return all so far, ``(B, H, Tk, Dh)``."""
        end = self._own + k.shape[-2]
        self._keys[:, :, self._own : end] = k
        self._values[:, :, self._own : end] = v
        self._own = end
        return self.stored()

    def stored(self) -> tuple[Tensor, Tensor]:
        """All keys and values so far."""
        keys, values = self._new()
        if self._trunk is None:
            return keys, values
        before = (trunk.expand(keys.shape[0], -1, -1, -1) for trunk in self._trunk)
        return torch.cat([next(before), keys], dim=-2), torch.cat([next(before), values], dim=-2)

    def _new(self) -> tuple[Tensor, Tensor]:
        return self._keys[:, :, : self._own], self._values[:, :, : self._own]


class KVCache:
    """One ``LayerCache`` for each layer.

    Attributes:
        layers: of the model, from the first block up.
        n_ctx: positions there is memory for.
    """

    def __init__(self, layers: Sequence[LayerCache], n_ctx: int) -> None:
        self.layers, self.n_ctx = tuple(layers), n_ctx

    @classmethod
    def empty(
        cls,
        n_layers: int,
        n_heads: int,
        d_head: int,
        n_ctx: int,
        *,
        batch: int = 1,
        device: torch.device | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> KVCache:
        """Memory for ``n_ctx`` positions of ``batch`` rows."""
        shape = (n_layers, 2, batch, n_heads, n_ctx, d_head)
        memory = torch.zeros(shape, device=device, dtype=dtype)
        return cls([LayerCache(keys, values) for keys, values in memory.unbind(0)], n_ctx)

    @property
    def length(self) -> int:
        """Positions stored so far, the same in every layer between two calls of the model."""
        return self.layers[-1].length

    @property
    def nbytes(self) -> int:
        """What the positions stored so far take."""
        return sum(layer.nbytes for layer in self.layers)

    @property
    def room(self) -> int:
        """Positions that can still be stored."""
        return self.n_ctx - self.length

    def check_room(self, n_new: int) -> None:
        """Raise if ``n_new`` more positions do not fit.

        Raises:
            InputTooLongError: with the limit and what was asked for.
        """
        if n_new > self.room:
            raise InputTooLongError(self.n_ctx, self.length + n_new)

    def fork(self, rows: Sequence[int], room: int) -> KVCache:
        """A cache whose rows go on from rows of this one, with memory for ``room`` positions more.

        This one stays as it is. Where several go on from the same row, they read its keys and
        values where these lie; one alone has its own, so that a step need not join the two.
        """
        return KVCache([_forked(layer, rows, room) for layer in self.layers], self.length + room)


def _forked(layer: LayerCache, rows: Sequence[int], room: int) -> LayerCache:
    keys, values = layer.stored()
    which = rows[:1] if len(set(rows)) == 1 else rows
    chosen = torch.tensor(which, device=keys.device)
    if len(rows) == 1:
        memory = keys.new_zeros(2, 1, keys.shape[1], layer.length + room, keys.shape[3])
        alone = LayerCache(memory[0], memory[1])
        alone.append(keys[chosen], values[chosen])
        return alone
    memory = keys.new_zeros(2, len(rows), keys.shape[1], room, keys.shape[3])
    return LayerCache(memory[0], memory[1], trunk=(keys[chosen], values[chosen]))


class HiddenState:
    """What a recurrent decoder keeps: a state a row, however much was written.

    One that looks back at its own states keeps them all.

    Args:
        h: the states, ``(B, D)``.
        length: tokens of each row so far.
        past: the state after each of them, ``(B, length, D)``; None where nothing looks back.
    """

    def __init__(self, h: Tensor, length: int = 0, past: Tensor | None = None) -> None:
        self.h, self.length, self.past = h, length, past

    def carry(self, states: Tensor) -> None:
        """Go on after more tokens, with the states after each of them ``(B, n, D)``."""
        self.h, self.length = states[:, -1], self.length + states.shape[1]
        if self.past is not None:
            self.past = torch.cat([self.past, states], dim=1)

    def fork(self, rows: Sequence[int]) -> HiddenState:
        """Copies of some rows, which go on by themselves."""
        which = list(rows)
        past = None if self.past is None else self.past[which]
        return HiddenState(self.h[which], self.length, past)

    @property
    def nbytes(self) -> int:
        """What is kept."""
        return self.h.nbytes + (0 if self.past is None else self.past.nbytes)
