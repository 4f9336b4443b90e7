"""The blocks of one side of a machine with an encoder and a decoder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from torch import Tensor, nn

from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock, stack_sites
from core.nn.feedforward import FeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm, RMSNorm
from core.nn.positions import RelativePositions
from core.tracing.sites import Site, within
from core.tracing.tap import NO_TAP, Tap


class Side(nn.Module):
    """The blocks of one side.

    Args:
        blocks: one on top of the other.
        causal: a position sees only itself and what stands before it.
        relative: makes what all blocks add to the scores of their own attention.
        final_norm: after the last block.
        embed: what of its vectors' beginning is this side's own.
    """

    def __init__(
        self,
        blocks: Iterable[PreNormBlock | PostNormBlock],
        *,
        causal: bool,
        relative: RelativePositions | None = None,
        final_norm: LayerNorm | RMSNorm | None = None,
        embed: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.embed = embed
        self.causal, self.relative = causal, relative
        self.blocks = nn.ModuleList(blocks)
        self.final_norm = final_norm

    def forward(
        self,
        x: Tensor,
        memory: Tensor | Sequence[KeysValues | None] | None = None,
        *,
        mask: Tensor | None = None,
        source_mask: Tensor | None = None,
        cache: KVCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; arguments as in ``EncoderDecoder.decode``."""
        bias = None
        if self.relative is not None:
            before = 0 if cache is None else cache.length
            bias = self.relative(x.shape[1], before + x.shape[1], tap.at("relative"))
        for i, block in enumerate(self.blocks):
            x = block(
                x,
                mask=mask,
                causal=self.causal and mask is None,
                cache=None if cache is None else cache.layers[i],
                source=memory if memory is None or isinstance(memory, Tensor) else memory[i],
                source_mask=source_mask,
                bias=bias,
                tap=tap.at("blocks", i),
            )
        return x if self.final_norm is None else self.final_norm(x, tap.at("final_norm"))

    def project(self, memory: Tensor) -> list[KeysValues]:
        """Each block's keys and values of the encoder's output ``(B, S, D)``."""
        return [self._cross(block).keys_values(memory) for block in self.blocks]

    @staticmethod
    def _cross(block: nn.Module) -> MultiHeadAttention:
        assert isinstance(block, PreNormBlock | PostNormBlock)
        assert block.cross_attn is not None
        return block.cross_attn

    def sites(self, stream: str, source: str | None) -> Iterator[Site]:
        """What it taps, in the order of computation; the streams it works on and attends to."""
        biased = self.relative is not None
        if self.relative is not None:
            yield from within("relative", self.relative.sites(), queries=stream, keys=stream)
        yield from stack_sites(self.blocks, stream, source, biased=biased)
        if self.final_norm is not None:
            norm = self.final_norm
            yield from within("final_norm", norm.sites(norm.symbol), queries=stream)


def post_norm_block(config: Any, *, cross: bool) -> PostNormBlock:
    """A block of the Transformer of 2017, of a config's sizes; ``cross``: of its decoder."""

    def attention() -> MultiHeadAttention:
        return MultiHeadAttention(config.d_model, config.n_heads)

    def norm() -> LayerNorm:
        return LayerNorm(config.d_model, config.eps)

    return PostNormBlock(
        attn=attention(),
        ffn=FeedForward(config.d_model, config.d_ff, config.activation),
        ln_1=norm(),
        ln_2=norm(),
        cross_attn=attention() if cross else None,
        ln_cross=norm() if cross else None,
    )
