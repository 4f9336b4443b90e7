"""One decoder block in every shape: how attention and feed-forward are joined, and by which sums.

A block is one sum or two. A sum adds to the stream what some layers make of it; the norm stands in
its branch ("pre"), behind the sum ("post"), or nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from torch import Tensor, nn

from core.language import N_
from core.nn.feedforward import ActivationName, FeedForward
from core.nn.norms import LayerNorm
from core.shaped.attention import ShapedAttention
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap

Placement = Literal["serial", "one_sum", "ffn_first", "parallel"]
NormPlace = Literal["pre", "post", "none"]
Layer = Literal["attn", "ffn"]

# The sums of each placement, and the layers in the branch of each. In a parallel block both read
# the same input; else the second reads what the first has made.
SUMS: Mapping[Placement, tuple[tuple[Layer, ...], ...]] = {
    "serial": (("attn",), ("ffn",)),
    "one_sum": (("attn", "ffn"),),
    "ffn_first": (("ffn",), ("attn",)),
    "parallel": (("attn", "ffn"),),
}


class ShapedBlock(nn.Module):
    """A decoder block whose shape is chosen.

    With F the branch of a sum, each sum is

    - pre: x + F(LN(x)) (Radford et al. 2019, section 2.3; Xiong et al. 2020, figure 1b),
    - post: LN(x + F(x)) (Vaswani et al. 2017, section 3.1),
    - none: x + F(x).

    The placements are:

    - serial: x + Attn, then x + FFN (Vaswani et al. 2017, figure 1),
    - one_sum: x + FFN(Attn(x)), one sum around both,
    - ffn_first: x + FFN, then x + Attn,
    - parallel: x + Attn(x) + FFN(x), one norm for both (Wang & Komatsuzaki 2021, GPT-J;
      Chowdhery et al. 2022, PaLM, section 2).

    Args:
        d_model, n_heads, d_ff: sizes.
        placement: how attention and feed-forward are joined.
        norm: where the norms stand.
        activation: of the feed-forward network: "relu_squared" is Primer's (So et al. 2021).
        qk_norm, dconv: see ``ShapedAttention``.
        residual: each branch is added to the stream; else it replaces it.
        scaled: dot products are divided by sqrt(d_head).
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        *,
        placement: Placement = "serial",
        norm: NormPlace = "pre",
        activation: ActivationName = "relu",
        qk_norm: bool = False,
        dconv: bool = False,
        residual: bool = True,
        scaled: bool = True,
    ) -> None:
        super().__init__()
        self.placement, self.norm, self.residual = placement, norm, residual
        self.attn = ShapedAttention(d_model, n_heads, qk_norm=qk_norm, dconv=dconv, scaled=scaled)
        self.ffn = FeedForward(d_model, d_ff, activation)
        n_norms = 0 if norm == "none" else len(SUMS[placement])
        self.ln_1 = LayerNorm(d_model) if n_norms > 0 else None
        self.ln_2 = LayerNorm(d_model) if n_norms > 1 else None

    def forward(
        self, x: Tensor, *, mask: Tensor | None = None, causal: bool = True, tap: Tap = NO_TAP
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; mask and causal as of ``attend``."""
        x = tap("resid_pre", x)
        sums = SUMS[self.placement]
        for n, layers in enumerate(sums, 1):
            norm: nn.Module | None = getattr(self, f"ln_{n}")
            read = norm(x, tap.at(f"ln_{n}")) if norm is not None and self.norm == "pre" else x
            written = self._branch(layers, read, mask, causal, tap)
            x = x + written if self.residual else written
            x = tap("resid_post", x) if n == len(sums) else tap("resid_mid", x)
            if norm is not None and self.norm == "post":
                x = norm(x, tap.at(f"ln_{n}"))
        return x

    def _branch(
        self, layers: tuple[Layer, ...], x: Tensor, mask: Tensor | None, causal: bool, tap: Tap
    ) -> Tensor:
        """What the layers of a sum write."""
        if self.placement == "parallel":
            attended = self.attn(x, mask=mask, causal=causal, tap=tap.at("attn"))
            return attended + self.ffn(x, tap.at("ffn"))
        for name in layers:
            if name == "attn":
                x = self.attn(x, mask=mask, causal=causal, tap=tap.at("attn"))
            else:
                x = self.ffn(x, tap.at("ffn"))
        return x

    @property
    def output(self) -> str:
        """The site of what it hands on."""
        if self.norm != "post":
            return "resid_post"
        return f"ln_{len(SUMS[self.placement])}.out"

    def sites(self, queries: str) -> Iterator[Site]:
        """What it taps, in the order of computation; ``queries`` is the stream it works on."""
        before, mid, after = self._totals()
        yield before
        sums = SUMS[self.placement]
        for n, layers in enumerate(sums, 1):
            norm: LayerNorm | None = getattr(self, f"ln_{n}")
            letter = rf"\mathrm{{LN}}_{n}"
            norm_sites = [] if norm is None else [*within(f"ln_{n}", norm.sites(letter))]
            yield from norm_sites if self.norm == "pre" else ()
            for name in layers:
                layer = self.attn if name == "attn" else self.ffn
                yield from within(name, layer.sites(), queries=queries, keys=queries)
            yield after if n == len(sums) else mid
            yield from norm_sites if self.norm == "post" else ()

    def _totals(self) -> tuple[Site, ...]:
        return declared(
            type(self),
            Site("resid_pre", ("T", "D"), r"x", N_("The residual stream as it enters the layer.")),
            Site("resid_mid", ("T", "D"), r"x + F_1", N_("The residual stream after the first sum "
                                                         "of the layer.")),
            Site("resid_post", ("T", "D"), r"x + F", N_("The residual stream after the last sum of "
                                                        "the layer.")),
        )  # fmt: skip
