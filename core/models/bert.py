"""BERT: an encoder that predicts hidden words from both sides.

Devlin et al. 2019, sections 3 and A.2: the encoder of Vaswani et al. 2017 (norm
after each residual sum), learned positions, an embedding that says which of two
segments a token belongs to, a head for masked words and one for "does the
second sentence follow the first?".
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.errors import ConfigError, InputTooLongError
from core.language import N_, Phrase
from core.models.limits import check_sizes
from core.models.topology import Topology
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ACTIVATIONS, ActivationName, FeedForward
from core.nn.norms import LayerNorm
from core.nn.positions import sinusoidal_positions
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class BERTConfig:
    """The sizes of a BERT.

    Attributes:
        vocab_size: V, entries of the token table.
        n_ctx: rows of the position table: the longest input it takes.
        d_model: D, width of the residual stream.
        n_layers: blocks.
        n_heads: H; divides d_model.
        d_ff: hidden units of the feed-forward network.
        n_types: segments it can tell apart.
        activation: the non-linearity of the feed-forward network and the masked-word head.
        eps: added to the variance in LayerNorm.
    """

    vocab_size: int
    n_ctx: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    n_types: int = 2
    activation: ActivationName = "gelu"
    eps: float = 1e-12

    def __post_init__(self) -> None:
        check_sizes(
            self, "vocab_size", "n_ctx", "d_model", "n_layers", "n_heads", "d_ff", "n_types"
        )
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


class MaskedWordHead(nn.Module):
    """From a position's vector to a word: linear, non-linearity, norm, tied output matrix."""

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.transform = nn.Linear(config.d_model, config.d_model)
        self.ln = LayerNorm(config.d_model, config.eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, x: Tensor, table: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """``(..., D) -> (..., V)``; ``table`` is the token embedding ``(V, D)``."""
        x = tap("transform", self.activation(self.transform(x)))
        return tap("logits", F.linear(self.ln(x, tap.at("ln")), table, self.bias))


class BERT(nn.Module):
    """The encoder with its masked-word head; ``forward`` gives logits ``(B, T, V)``.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    def __init__(self, config: BERTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Embeddings(
            config.vocab_size,
            config.n_ctx,
            config.d_model,
            n_types=config.n_types,
            norm_eps=config.eps,
        )
        self.blocks = nn.ModuleList(
            PostNormBlock(
                attn=MultiHeadAttention(config.d_model, config.n_heads),
                ffn=FeedForward(config.d_model, config.d_ff, config.activation),
                ln_1=LayerNorm(config.d_model, config.eps),
                ln_2=LayerNorm(config.d_model, config.eps),
            )
            for _ in range(config.n_layers)
        )
        self.mlm = MaskedWordHead(config)
        self.pooler = nn.Linear(config.d_model, config.d_model)
        self.nsp = nn.Linear(config.d_model, 2)
        if not self.mlm.bias.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Matrices and tables from N(0, 0.02) as Devlin et al. draw them, and a sense of place.

        Under that draw alone a head starts as an average over the whole row and stays
        one for long: a small model learns which words keep company but not their order.
        So positions start as sinusoids (Vaswani et al. 2017, section 3.5), whose dot
        product falls with distance, and each key's matrix as its query's, of full size
        (Trockman & Kolter 2023, "Mimetic initialization"): a head starts as an average
        over the neighbourhood.
        """
        for module in self.modules():
            if isinstance(module, nn.Embedding | nn.Linear):
                module.weight.normal_(0.0, 0.02, generator=generator)
            if isinstance(module, nn.Linear):
                module.bias.zero_()
        table = self.embed.positions.weight
        if self.topology.positions_start == "sinusoids":
            table.copy_(0.1 * sinusoidal_positions(*table.shape).to(table))
        for block in self.blocks:
            assert isinstance(block, PostNormBlock)
            w_q, w_k, _ = block.attn.w_qkv.weight.chunk(3)
            w_k.copy_(w_q.normal_(0.0, self.config.d_model**-0.5, generator=generator))

    @property
    def topology(self) -> Topology:
        return Topology(
            embeddings=("tokens", "positions", "types"),
            # Sines and cosines come in pairs.
            positions_start="random" if self.config.d_model % 2 else "sinusoids",
            embed_norm=True,
            n_layers=self.config.n_layers,
            n_heads=self.config.n_heads,
            arrangement="post",
            norm="layer",
            gated=False,
            causal=False,
            final_norm=False,
            head="masked_token",
            next_sentence=True,
        )

    def forward(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the word at each position (meaningful where ``ids`` hides one).

        Args:
            ids: ``(B, T)``.
            types: segment of each token ``(B, T)``; all 0 when None.
            mask: bool, broadcasts to ``(B, H, T, T)``; everybody sees everybody when None.

        Returns:
            ``(B, T, V)``.
        """
        hidden = self.hidden(ids, types=types, mask=mask, tap=tap)
        return self.masked_words(hidden, tap)

    def hidden(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """The encoder's output ``(B, T, D)``; arguments as in ``forward``, on any device.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        length = ids.shape[1]
        if length > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, length)
        device = self.embed.tokens.weight.device
        ids = ids.to(device)
        types = None if types is None else types.to(device)
        mask = None if mask is None else mask.to(device)
        x = self.embed(ids, types=types, tap=tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(x, mask=mask, tap=tap.at("blocks", i))
        return x

    def masked_words(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits over the vocabulary: ``(..., D) -> (..., V)``."""
        return self.mlm(hidden, self.embed.tokens.weight, tap.at("mlm"))

    def next_sentence(self, hidden: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From the [CLS] position, ``(B, T, D) -> (B, 2)``: index 0 is "follows", 1 "does not"."""
        pooled = tap.at("pooler")("out", torch.tanh(self.pooler(hidden[:, 0])))
        return tap.at("nsp")("logits", self.nsp(pooled))
