"""GPT-2: a decoder-only Transformer that predicts the next token.

Radford et al. 2019 ("Language Models are Unsupervised Multitask Learners"),
section 2.3: norms before each sub-layer and one after the last block, learned
positions, the output matrix tied to the token embedding, and residual
projections initialised smaller the deeper the model is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.errors import ConfigError, InputTooLongError
from core.language import N_, Phrase
from core.models.limits import check_sizes
from core.models.topology import Topology
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PreNormBlock
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ACTIVATIONS, ActivationName, FeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class GPTConfig:
    """The sizes of a GPT.

    Attributes:
        vocab_size: V, entries of the token table.
        n_ctx: rows of the position table: the longest text it takes.
        d_model: D, width of the residual stream.
        n_layers: blocks.
        n_heads: H; divides d_model.
        d_ff: hidden units of the feed-forward network.
        activation: its non-linearity.
        eps: added to the variance in LayerNorm.
    """

    vocab_size: int
    n_ctx: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    activation: ActivationName = "gelu_tanh"
    eps: float = 1e-5

    def __post_init__(self) -> None:
        check_sizes(self, "vocab_size", "n_ctx", "d_model", "n_layers", "n_heads", "d_ff")
        if self.d_model % self.n_heads:
            raise ConfigError(
                "n_heads", Phrase(N_("must divide d_model, {d_model}"), d_model=self.d_model)
            )
        if self.activation not in ACTIVATIONS:
            raise ConfigError(
                "activation", Phrase(N_("must be one of {choices}"), choices=", ".join(ACTIVATIONS))
            )
        if not 0 < self.eps < 1:
            raise ConfigError("eps", N_("must be above 0 and below 1"))


class GPT(nn.Module):
    """The decoder-only model; ``forward`` gives logits ``(B, T, V)``.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    def __init__(self, config: GPTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Embeddings(config.vocab_size, config.n_ctx, config.d_model)
        self.blocks = nn.ModuleList(
            PreNormBlock(
                attn=MultiHeadAttention(config.d_model, config.n_heads),
                ffn=FeedForward(config.d_model, config.d_ff, config.activation),
                ln_1=LayerNorm(config.d_model, config.eps),
                ln_2=LayerNorm(config.d_model, config.eps),
            )
            for _ in range(config.n_layers)
        )
        self.final_norm = LayerNorm(config.d_model, config.eps)
        if not self.final_norm.weight.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Matrices and tables from N(0, 0.02); those that write into the stream over sqrt(2 L)."""
        for name, parameter in self.named_parameters():
            if parameter.ndim < 2:
                continue  # gains are 1 already
            std = 0.02
            if name.endswith(("w_o.weight", "w_2.weight")):
                std /= math.sqrt(2 * self.config.n_layers)
            parameter.normal_(0.0, std, generator=generator)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                module.bias.zero_()

    @property
    def topology(self) -> Topology:
        return Topology(
            embeddings=("tokens", "positions"),
            positions_start="random",
            embed_norm=False,
            n_layers=self.config.n_layers,
            n_heads=self.config.n_heads,
            arrangement="pre",
            norm="layer",
            gated=False,
            causal=True,
            final_norm=True,
            head="next_token",
            next_sentence=False,
        )

    def make_cache(self, n_ctx: int | None = None, batch: int = 1) -> KVCache:
        """An empty key-value cache for ``n_ctx`` positions (the model's context when None)."""
        config, table = self.config, self.embed.tokens.weight
        return KVCache(
            config.n_layers,
            config.n_heads,
            config.d_model // config.n_heads,
            config.n_ctx if n_ctx is None else n_ctx,
            batch=batch,
            device=table.device,
            dtype=table.dtype,
        )

    def forward(
        self,
        ids: Tensor,
        *,
        mask: Tensor | None = None,
        cache: KVCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the token after each position. Ids and mask may lie on any device.

        Args:
            ids: ``(B, T)``.
            mask: bool, in place of the causal mask; broadcasts to ``(B, H, T, Tk)``.
            cache: keys and values of the positions before these; gets the new ones.

        Returns:
            ``(B, T, V)``.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        n_new = ids.shape[1]
        start = 0 if cache is None else cache.length
        if start + n_new > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, start + n_new)
        if cache is not None:
            cache.check_room(n_new)
        table = self.embed.tokens.weight
        ids = ids.to(table.device)
        mask = None if mask is None else mask.to(table.device)
        x = self.embed(ids, start=start, tap=tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(
                x,
                mask=mask,
                causal=mask is None,
                cache=None if cache is None else cache.layers[i],
                tap=tap.at("blocks", i),
            )
        x = self.final_norm(x, tap.at("final_norm"))
        return tap("logits", F.linear(x, table))
