"""The key-value cache: what decoding keeps, so that a step computes only its newest token.

A cache is an argument, owned by whoever generates; the model keeps no state.
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor

from core.errors import InputTooLongError


class LayerCache:
    """Keys and values of one layer, in memory taken once: ``(B, H, n_ctx, Dh)`` each."""

    def __init__(self, keys: Tensor, values: Tensor, length: int = 0) -> None:
        self.keys, self.values = keys, values
        self.length = length

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Store the newest keys and values; return all so far, ``(B, H, Tk, Dh)``, as views."""
        end = self.length + k.shape[-2]
        self.keys[:, :, self.length : end] = k
        self.values[:, :, self.length : end] = v
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]


class KVCache:
    """One ``LayerCache`` a layer.

    Args:
        n_layers, n_heads, d_head: of the model.
        n_ctx: positions to take memory for.
        batch: rows.
    """

    def __init__(
        self,
        n_layers: int,
        n_heads: int,
        d_head: int,
        n_ctx: int,
        *,
        batch: int = 1,
        device: torch.device | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.n_ctx = n_ctx
        shape = (n_layers, 2, batch, n_heads, n_ctx, d_head)
        memory = torch.zeros(shape, device=device, dtype=dtype)
        self.layers = [LayerCache(keys, values) for keys, values in memory.unbind(0)]
        self.nbytes = memory.nbytes

    @property
    def length(self) -> int:
        """Positions stored so far, the same in every layer between two calls of the model."""
        return self.layers[-1].length

    def check_room(self, n_new: int) -> None:
        """Raise if ``n_new`` more positions do not fit.

        Raises:
            InputTooLongError: with the limit and what was asked for.
        """
        if self.length + n_new > self.n_ctx:
            raise InputTooLongError(self.n_ctx, self.length + n_new)

    def branches(self, room: int) -> KVCache:
        """A view of what is stored, of one row, from which any number of rows may go on.

        The rows read the same keys and values; what they add, at most ``room``
        positions, is not kept, so one view serves any number of calls.
        """
        view = copy.copy(self)
        view.n_ctx = self.length + room
        view.layers = [_Trunk(one.keys, one.values, one.length) for one in self.layers]
        return view


class _Trunk(LayerCache):
    """A layer's cache that many rows go on from and none changes."""

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        rows = k.shape[0]
        keys, values = (
            stored[:, :, : self.length].expand(rows, -1, -1, -1)
            for stored in (self.keys, self.values)
        )
        return torch.cat([keys, k], dim=-2), torch.cat([values, v], dim=-2)
