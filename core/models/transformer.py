"""The Transformer of 2017: an encoder reads a sentence, a decoder writes its translation.

Vaswani et al. 2017 ("Attention is all you need"): a norm after each residual
sum (section 3.1), fixed sinusoids for positions (3.5), one table for the tokens
of both sides and for the output matrix, its rows counted sqrt(d_model) times
(3.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.errors import ConfigError
from core.language import N_, Phrase
from core.locale import Numeral
from core.models.abilities import Ability
from core.models.blueprint import Embedding
from core.models.derived import embedding_of
from core.models.encoder_decoder import EncoderDecoder, Side, post_norm_block
from core.models.limits import LARGEST_SIZE, check_blocks, check_ends, check_sizes
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ActivationName
from core.tracing.sites import Site
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """The sizes of a Transformer with an encoder and a decoder.

    Attributes:
        vocab_size: V, entries of the token table that both sides share.
        n_ctx: the longest sentence it takes on either side.
        d_model: D, width of both residual streams.
        encoder_n_layers, decoder_n_layers: blocks.
        n_heads: H; divides d_model.
        d_ff: hidden units of the feed-forward networks.
        start_id: the token that every target begins with.
        end_id: the token that ends source and target.
        activation: the non-linearity of the feed-forward networks.
        eps: added to the variance in LayerNorm.
        output_bias: a number is added to each vocabulary entry's logit, as in Marian.
        causal_encoder: a position of the source sees nothing after it, as in a recurrent encoder.
    """

    vocab_size: int
    n_ctx: int
    d_model: int
    encoder_n_layers: int
    decoder_n_layers: int
    n_heads: int
    d_ff: int
    start_id: int
    end_id: int
    activation: ActivationName = "relu"
    eps: float = 1e-5
    output_bias: bool = False
    causal_encoder: bool = False

    def __post_init__(self) -> None:
        check_sizes(
            self, "vocab_size", "n_ctx", "d_model", "encoder_n_layers", "decoder_n_layers",
            "n_heads", "d_ff",
        )  # fmt: skip
        check_blocks(self)
        if self.d_model % 2:
            raise ConfigError("d_model", N_("must be even: sines and cosines come in pairs"))
        if self.n_ctx * self.d_model > LARGEST_SIZE:  # a table that is made, not read
            raise ConfigError(
                "n_ctx",
                Phrase(N_("must be at most {n}"), n=Numeral(f"{LARGEST_SIZE // self.d_model:,}")),
            )
        check_ends(self)


class Transformer(EncoderDecoder):
    """Encoder and decoder; ``forward`` gives logits ``(B, T, V)`` for the next target token.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    abilities: frozenset[Ability] = frozenset({"translate"})
    table_name = "embed.tokens.weight"

    def __init__(self, config: TransformerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Embeddings(
            config.vocab_size, config.n_ctx, config.d_model, positions="sinusoidal", scaled=True
        )
        encoder = (post_norm_block(config, cross=False) for _ in range(config.encoder_n_layers))
        decoder = (post_norm_block(config, cross=True) for _ in range(config.decoder_n_layers))
        self.encoder = Side(encoder, causal=config.causal_encoder)
        self.decoder = Side(decoder, causal=True)
        bias = nn.Parameter(torch.zeros(config.vocab_size)) if config.output_bias else None
        self.output_bias = bias
        if not self.table.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Rows of the table from N(0, 1 / D), which sqrt(D) makes 1; matrices by Glorot & Bengio."""
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                module.weight.normal_(0.0, self.config.d_model**-0.5, generator=generator)
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight, generator=generator)
                module.bias.zero_()

    @property
    def table(self) -> Tensor:
        return self.embed.rows

    @property
    def bias(self) -> nn.Parameter | None:
        return self.output_bias

    def embedded(self, side: str, ids: Tensor, start: int, tap: Tap = NO_TAP) -> Tensor:
        """The same tables on both sides."""
        x: Tensor = self.embed(ids, start=start, tap=tap)
        return x

    def first_row(self) -> Callable[[Tensor, int], Tensor]:
        embed = self.embed
        table, positions, scale = embed.rows, embed.positions.weight, embed.scale or 1.0
        return lambda token, place: (table[token] * scale + positions[place])[None]

    def embedding_sites(self, side: str) -> Iterator[Site]:
        return self.embed.sites()

    def embedding(self, side: str, stream: str) -> Embedding:
        return embedding_of(self.embed, f"{side}.embed", stream)
