"""A Transformer block: attention, feed-forward, and where the norms stand around them.

In both kinds ``resid_mid`` and ``resid_post`` are the sums after attention and
feed-forward, the "+" nodes of the drawings; a block that also attends to another
stack has one more between them, ``resid_cross``. In a pre-norm block
``resid_post`` is what the next block reads; in a post-norm block that is
``ln_2.out``, the sum after its norm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from torch import Tensor, nn

from core.language import N_
from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.feedforward import FeedForward
from core.nn.kv_cache import LayerCache
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


class _Block(nn.Module):
    """The parts; the two kinds differ in the order they put them in.

    Args:
        attn: self-attention.
        ffn: feed-forward network.
        ln_1, ln_2: the norms of these two.
        cross_attn, ln_cross: attention to another stack, and its norm; None in most blocks.
    """

    def __init__(
        self,
        attn: MultiHeadAttention,
        ffn: FeedForward,
        ln_1: LayerNorm | RMSNorm,
        ln_2: LayerNorm | RMSNorm,
        cross_attn: MultiHeadAttention | None = None,
        ln_cross: LayerNorm | RMSNorm | None = None,
    ) -> None:
        super().__init__()
        self.ln_1, self.attn = ln_1, attn
        self.ln_cross, self.cross_attn = ln_cross, cross_attn
        self.ln_2, self.ffn = ln_2, ffn

    def _sums(self) -> dict[str, Site]:
        before, mid, cross, post = declared(
            type(self),
            Site("resid_pre", ("T", "D"), r"x", N_("The residual stream as it enters the layer.")),
            Site("resid_mid", ("T", "D"), r"x + \mathrm{Attn}", N_("The residual stream after "
                                                                   "the attention's output was "
                                                                   "added.")),
            Site("resid_cross", ("T", "D"), r"x + \mathrm{CrossAttn}", N_("The residual stream after "
                                                                          "the output of the "
                                                                          "cross-attention was added.")),
            Site("resid_post", ("T", "D"), r"x + \mathrm{FFN}", N_("The residual stream after "
                                                                   "the feed-forward network's "
                                                                   "output was added.")),
        )  # fmt: skip
        return {"before": before, "mid": mid, "cross": cross, "post": post}


def _norm_sites(norm: LayerNorm | RMSNorm, place: str) -> tuple[Site, ...]:
    return norm.sites(f"{norm.symbol}_{place}")


def stack_sites(
    blocks: Iterable[nn.Module], queries: str, keys: str | None = None, *, biased: bool = False
) -> Iterator[Site]:
    """What the blocks of a stack tap, in the order of computation.

    Args:
        blocks: of the stack.
        queries: the stream it works on.
        keys: the stream it also attends to.
        biased: a bias is added to the scores of its own attention.
    """
    for i, block in enumerate(blocks):
        assert isinstance(block, PreNormBlock | PostNormBlock)
        sites = block.sites(queries, keys, biased=biased)
        yield from within(f"blocks.{i}", sites, queries=queries)


class PreNormBlock(_Block):
    """Norm inside the residual branch: x + Layer(norm(x)). GPT-2 (Radford et al. 2019), 2.3."""

    def forward(
        self,
        x: Tensor,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        cache: LayerCache | None = None,
        source: Tensor | KeysValues | None = None,
        source_mask: Tensor | None = None,
        bias: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; the other arguments are those of the two attentions."""
        x = tap("resid_pre", x)
        x = tap("resid_mid", x + self.attn(
            self.ln_1(x, tap.at("ln_1")),
            mask=mask, causal=causal, cache=cache, bias=bias, tap=tap.at("attn"),
        ))  # fmt: skip
        if self.cross_attn is not None and self.ln_cross is not None:
            x = tap("resid_cross", x + self.cross_attn(
                self.ln_cross(x, tap.at("ln_cross")),
                source, mask=source_mask, tap=tap.at("cross_attn"),
            ))  # fmt: skip
        return tap("resid_post", x + self.ffn(self.ln_2(x, tap.at("ln_2")), tap.at("ffn")))

    def sites(
        self, queries: str, keys: str | None = None, *, biased: bool = False
    ) -> Iterator[Site]:
        """What it taps, in the order of computation; arguments as in ``stack_sites``."""
        sums = self._sums()
        yield sums["before"]
        yield from within("ln_1", _norm_sites(self.ln_1, "1"))
        yield from within("attn", self.attn.sites(biased=biased), queries=queries, keys=queries)
        yield sums["mid"]
        if self.cross_attn is not None and self.ln_cross is not None:
            yield from within("ln_cross", _norm_sites(self.ln_cross, "c"))
            yield from within("cross_attn", self.cross_attn.sites(), queries=queries, keys=keys)
            yield sums["cross"]
        yield from within("ln_2", _norm_sites(self.ln_2, "2"))
        yield from within("ffn", self.ffn.sites())
        yield sums["post"]


class PostNormBlock(_Block):
    """Norm after the sum: norm(x + Layer(x)). Vaswani et al. 2017, section 3.1."""

    def forward(
        self,
        x: Tensor,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        cache: LayerCache | None = None,
        source: Tensor | KeysValues | None = None,
        source_mask: Tensor | None = None,
        bias: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; the other arguments are those of the two attentions."""
        x = tap("resid_pre", x)
        x = self.ln_1(tap("resid_mid", x + self.attn(
            x, mask=mask, causal=causal, cache=cache, bias=bias, tap=tap.at("attn"),
        )), tap.at("ln_1"))  # fmt: skip
        if self.cross_attn is not None and self.ln_cross is not None:
            x = self.ln_cross(tap("resid_cross", x + self.cross_attn(
                x, source, mask=source_mask, tap=tap.at("cross_attn"),
            )), tap.at("ln_cross"))  # fmt: skip
        return self.ln_2(tap("resid_post", x + self.ffn(x, tap.at("ffn"))), tap.at("ln_2"))

    def sites(
        self, queries: str, keys: str | None = None, *, biased: bool = False
    ) -> Iterator[Site]:
        """What it taps, in the order of computation; arguments as in ``stack_sites``."""
        sums = self._sums()
        yield sums["before"]
        yield from within("attn", self.attn.sites(biased=biased), queries=queries, keys=queries)
        yield sums["mid"]
        yield from within("ln_1", _norm_sites(self.ln_1, "1"))
        if self.cross_attn is not None and self.ln_cross is not None:
            yield from within("cross_attn", self.cross_attn.sites(), queries=queries, keys=keys)
            yield sums["cross"]
            yield from within("ln_cross", _norm_sites(self.ln_cross, "c"))
        yield from within("ffn", self.ffn.sites())
        yield sums["post"]
        yield from within("ln_2", _norm_sites(self.ln_2, "2"))
