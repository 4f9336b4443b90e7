"""A GPT of any block shape, to be measured and trained beside others; it is not on the shelf.

Tables and output are those of GPT (Radford et al. 2018), with tokens' rows scaled as in Vaswani et
al. 2017, section 3.4, so that the stream begins with numbers of about 1 whatever the width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.errors import ConfigError
from core.language import N_
from core.models.limits import check_sizes
from core.nn.embeddings import Embeddings
from core.nn.norms import LayerNorm
from core.shaped.block import ShapedBlock
from core.shaped.shapes import BlockShape
from core.shaped.wrong_axis import WrongAxis
from core.tracing.sites import ONE_STREAM, Site, declared, within
from core.tracing.tap import NO_TAP, Tap

FIXED_STD = 0.02  # Radford et al. 2018, section 4.1
# Standard deviation of a matrix's weights, times the root of how many inputs it has.
OVER_ROOT = {"fan_in": 1.0, "larger": 1.5, "by_depth": 1.0}
WRITES = ("w_o", "w_2")  # matrices whose output is added to the stream


def over_depth(spread: str, matrix: str, n_layers: int) -> float:
    """What a matrix's first weights are divided by, so that a deep stream begins small.

    "by_depth" is that of GPT-2, which has two sums a layer: "we scale the weights of residual
    layers at initialization by a factor of 1/√N where N is the number of residual layers"
    (Radford et al. 2019, section 2.3).
    """
    last = matrix.removesuffix(".weight").rpartition(".")[2]
    return math.sqrt(2 * n_layers) if spread == "by_depth" and last in WRITES else 1.0


@dataclass(frozen=True, slots=True)
class SmallGPTConfig:
    """The sizes and the shape of a small GPT.

    Attributes:
        vocab_size: V.
        n_ctx: rows of the position table.
        d_model: D.
        n_layers: blocks.
        n_heads: H; divides d_model.
        shape: of its blocks; the feed-forward network has 4 D hidden units.
        positions: rows of a table of positions are added.
        scaled: dot products are divided by sqrt(d_head).
        wrong_axis: the mistake of ``core.shaped.wrong_axis``.
        spread: of the first weights: "fan_in", 1/√n for n inputs; "larger", 1.5/√n; "by_depth", as
            "fan_in", with what writes to the stream over the root of its sums; "fixed", 0.02.
    """

    vocab_size: int
    n_ctx: int
    d_model: int
    n_layers: int
    n_heads: int
    shape: BlockShape = field(default_factory=BlockShape)
    positions: bool = True
    scaled: bool = True
    wrong_axis: bool = False
    spread: str = "fan_in"

    def __post_init__(self) -> None:
        check_sizes(self, "vocab_size", "n_ctx", "d_model", "n_layers", "n_heads")
        if self.d_model % self.n_heads:
            raise ConfigError("n_heads", N_("must divide d_model"))


class SmallGPT(nn.Module):
    """Decoder only; ``forward`` gives logits ``(B, T, V)``.

    Args:
        config: its sizes and shape.
        generator: draws the first weights.
    """

    def __init__(self, config: SmallGPTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Embeddings(config.vocab_size, config.n_ctx, config.d_model, scaled=True)
        self.blocks = nn.ModuleList(_block(config) for _ in range(config.n_layers))
        self.final_norm = LayerNorm(config.d_model)
        self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Matrices from N(0, std) by the spread, biases 0; rows of tables from N(0, 1/√D)."""
        for name, module in self.named_modules():
            if isinstance(module, nn.Linear):
                std = self._std(name, module.in_features)
                module.weight.normal_(0.0, std, generator=generator)
                module.bias.zero_()
        narrow = 1 / math.sqrt(self.config.d_model)
        self.embed.rows.normal_(0.0, narrow, generator=generator)
        self.embed.positions.weight.normal_(0.0, narrow, generator=generator)
        if not self.config.positions:
            self.embed.positions.weight.zero_().requires_grad_(False)

    def _std(self, name: str, n_inputs: int) -> float:
        spread = self.config.spread
        if spread not in OVER_ROOT:
            return FIXED_STD
        std = OVER_ROOT[spread] / math.sqrt(n_inputs)
        return std / over_depth(spread, name, self.config.n_layers)

    def forward(
        self, ids: Tensor, *, mask: Tensor | None = None, causal: bool = True, tap: Tap = NO_TAP
    ) -> Tensor:
        """``(B, T) -> (B, T, V)``, logits for the token after each position."""
        x = self.embed(ids, tap=tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(x, mask=mask, causal=causal, tap=tap.at("blocks", i))
        x = self.final_norm(x, tap.at("final_norm"))
        return tap("logits", F.linear(x, self.embed.rows))

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        yield from within("embed", self.embed.sites())
        for i, block in enumerate(self.blocks):
            assert isinstance(block, ShapedBlock)
            yield from within(f"blocks.{i}", block.sites(ONE_STREAM), queries=ONE_STREAM)
        yield from within("final_norm", self.final_norm.sites(r"\mathrm{LN}_f"))
        yield from declared(
            type(self),
            Site("logits", ("T", "V"), r"\ell", N_("The logits: one number for each "
                                                   "vocabulary entry. The higher it is, the "
                                                   "more likely the model finds this entry as "
                                                   "the next token.")),
        )  # fmt: skip


def _block(config: SmallGPTConfig) -> ShapedBlock:
    shape, width = config.shape, config.d_model
    block = ShapedBlock(
        width,
        config.n_heads,
        4 * width,
        placement=shape.placement,
        norm=shape.norm,
        activation=shape.activation,
        qk_norm=shape.qk_norm,
        dconv=shape.dconv,
        residual=shape.residual,
        scaled=config.scaled,
    )
    if config.wrong_axis:
        block.attn = WrongAxis(width, config.n_heads)
    return block
