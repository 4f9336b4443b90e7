"""BART: an encoder reads a damaged text, a decoder writes it as it was.

Lewis et al. 2020 ("BART: denoising sequence-to-sequence pre-training"), section 2: the
Transformer of 2017 with GELU instead of ReLU and learned positions. As in the
authors' code, each side has places of its own, the sum of token and place is
normalised, and one table serves both sides and the logits, to which a number
for each entry is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.models.abilities import Ability
from core.models.blueprint import Embedding
from core.models.derived import embedding_of
from core.models.encoder_decoder import EncoderDecoder, Side, post_norm_block
from core.models.limits import check_blocks, check_ends, check_sizes
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ActivationName
from core.tracing.sites import Site
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class BARTConfig:
    """The sizes of a BART.

    Attributes:
        vocab_size: V, entries of the token table that both sides share.
        n_ctx: the longest text it takes on either side.
        d_model: D, width of both residual streams.
        encoder_n_layers, decoder_n_layers: blocks.
        n_heads: H; divides d_model.
        d_ff: hidden units of the feed-forward networks.
        start_id: the token that every target begins with.
        end_id: the token that ends source and target.
        activation: the non-linearity of the feed-forward networks.
        eps: added to the variance in LayerNorm.
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
    activation: ActivationName = "gelu"
    eps: float = 1e-5

    def __post_init__(self) -> None:
        check_sizes(
            self, "vocab_size", "n_ctx", "d_model", "encoder_n_layers", "decoder_n_layers",
            "n_heads", "d_ff",
        )  # fmt: skip
        check_blocks(self)
        check_ends(self)


class BART(EncoderDecoder):
    """Encoder and decoder; ``forward`` gives logits ``(B, T, V)`` for the next target token.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    abilities: frozenset[Ability] = frozenset({"denoise"})
    table_name = "tokens.weight"

    def __init__(self, config: BARTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        encoder = (post_norm_block(config, cross=False) for _ in range(config.encoder_n_layers))
        decoder = (post_norm_block(config, cross=True) for _ in range(config.decoder_n_layers))
        self.encoder = Side(encoder, causal=False, embed=_places(config))
        self.decoder = Side(decoder, causal=True, embed=_places(config))
        self.output_bias = nn.Parameter(torch.zeros(config.vocab_size))
        if not self.table.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """All matrices from N(0, 0.02²), as GPT and BERT have theirs."""
        for module in self.modules():
            if isinstance(module, nn.Embedding | nn.Linear):
                module.weight.normal_(0.0, 0.02, generator=generator)
            if isinstance(module, nn.Linear):
                module.bias.zero_()

    @property
    def table(self) -> Tensor:
        return self.tokens.weight

    @property
    def bias(self) -> nn.Parameter | None:
        return self.output_bias

    def embedded(self, side: str, ids: Tensor, start: int, tap: Tap = NO_TAP) -> Tensor:
        """Rows of one table, places of each side's own, and a norm."""
        x: Tensor = self._places(side)(ids, table=self.table, start=start, tap=tap)
        return x

    def first_row(self) -> Callable[[Tensor, int], Tensor]:
        places, table = self._places("decoder"), self.table
        return lambda token, place: places(token[None, None], table=table, start=place)[0]

    def embedding_sites(self, side: str) -> Iterator[Site]:
        return self._places(side).sites()

    def _places(self, side: str) -> Embeddings:
        embeddings = self.get_submodule(f"{side}.embed")
        assert isinstance(embeddings, Embeddings)
        return embeddings

    def embedding(self, side: str, stream: str) -> Embedding:
        return embedding_of(self._places(side), f"{side}.embed", stream, table=self.table_name)


def _places(config: BARTConfig) -> Embeddings:
    return Embeddings(None, config.n_ctx, config.d_model, norm_eps=config.eps)
