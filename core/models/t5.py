"""T5: every task is text in, text out.

Raffel et al. 2020 ("Exploring the limits of transfer learning with a unified
text-to-text transformer"), section 2.1: an encoder and a decoder with a norm
inside each residual branch that only divides (RMSNorm), no linear map with a
bias, no position vectors but a learned number for each head and distance on the
scores, one table of them for all layers of a side, and dot products that are not
divided by a root: the spread of the first weights is small enough for that. A
norm ends each side. The paper divides what meets the shared table at the end by
sqrt(d_model); here that is in the gain of the decoder's last norm, which does
the same and leaves the logits a product with the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.models.abilities import Ability
from core.models.blueprint import Embedding
from core.models.encoder_decoder import EncoderDecoder, Side
from core.models.limits import check_blocks, check_ends, check_sizes
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PreNormBlock
from core.nn.embeddings import WordVectors
from core.nn.feedforward import ActivationName, FeedForward, GatedFeedForward
from core.nn.norms import RMSNorm
from core.nn.positions import RelativePositions
from core.tracing.sites import Site
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class T5Config:
    """The sizes of a T5.

    Attributes:
        vocab_size: V, entries of the token table that both sides share.
        n_ctx: the longest text it takes on either side. Nothing in its weights ends there.
        d_model: D, width of both residual streams.
        encoder_n_layers, decoder_n_layers: blocks.
        n_heads: H; divides d_model unless d_head is given.
        d_ff: hidden units of the feed-forward networks.
        start_id: the token that every target begins with; the original takes the padding.
        end_id: the token that ends source and target.
        d_head: width of a head; d_model / n_heads when 0.
        n_buckets, max_distance: of the relative positions, see ``relative_buckets``.
        activation: the non-linearity of the feed-forward networks.
        gated: these have a gate, as in version 1.1 (Shazeer 2020).
        tied: one table for tokens and logits; else the logits have a matrix of their own, as in
            version 1.1.
        eps: added to the mean square in RMSNorm.
        fills: its tokenizer has marks for hidden spans, which it fills in.
        translates, classifies: what stands before a text that is to be translated, or sorted; empty
            where it has not learned that.
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
    d_head: int = 0
    n_buckets: int = 32
    max_distance: int = 128
    activation: ActivationName = "relu"
    gated: bool = False
    tied: bool = True
    eps: float = 1e-6
    fills: bool = True
    translates: str = ""
    classifies: str = ""

    def __post_init__(self) -> None:
        check_sizes(
            self, "vocab_size", "n_ctx", "d_model", "encoder_n_layers", "decoder_n_layers",
            "n_heads", "d_ff", "n_buckets", "max_distance",
        )  # fmt: skip
        if self.d_head:
            check_sizes(self, "d_head")
        else:
            check_blocks(self)
        check_ends(self)


class T5(EncoderDecoder):
    """Encoder and decoder; ``forward`` gives logits ``(B, T, V)`` for the next target token.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.

    """

    def __init__(self, config: T5Config, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        # Without marks for spans in its tokenizer it writes text from text.
        self.abilities = frozenset({"fill_spans" if config.fills else "translate"})
        self.table_name = "words.weight" if config.tied else "w_out.weight"
        self.words = WordVectors(config.vocab_size, config.d_model)
        self.encoder = _side(config, cross=False)
        self.decoder = _side(config, cross=True)
        self.w_out = None if config.tied else WordVectors(config.vocab_size, config.d_model)
        if not self.table.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """As Mesh TensorFlow does it for T5: all that is read has a spread of about 1."""
        d, normal = self.config.d_model, nn.init.normal_
        normal(self.words.weight, 0.0, 1.0, generator=generator)
        for module in self.modules():
            if isinstance(module, MultiHeadAttention):
                # In the queries stands the root that the scores are not divided by.
                normal(module.w_q.weight, 0.0, (d * module.d_head) ** -0.5, generator=generator)
                for layer in (module.w_k, module.w_v):
                    normal(layer.weight, 0.0, d**-0.5, generator=generator)
                inner = module.w_o.in_features
                normal(module.w_o.weight, 0.0, inner**-0.5, generator=generator)
            if isinstance(module, FeedForward):
                normal(module.w_1.weight, 0.0, d**-0.5, generator=generator)
                normal(module.w_2.weight, 0.0, self.config.d_ff**-0.5, generator=generator)
            if isinstance(module, GatedFeedForward):
                normal(module.w_gate.weight, 0.0, d**-0.5, generator=generator)
            if isinstance(module, RelativePositions):
                normal(module.table.weight, 0.0, d**-0.5, generator=generator)
        if self.w_out is not None:
            normal(self.w_out.weight, 0.0, 1.0, generator=generator)
        assert self.decoder.final_norm is not None
        self.decoder.final_norm.weight.fill_(d**-0.5)

    @property
    def prefixes(self) -> Mapping[Ability, str]:
        """What stands before a text that is to be treated so, instead of filled in."""
        prefixes: dict[Ability, str] = {
            "translate": self.config.translates, "classify_text": self.config.classifies
        }  # fmt: skip
        return {task: prefix for task, prefix in prefixes.items() if prefix}

    @property
    def table(self) -> Tensor:
        return self.words.weight if self.w_out is None else self.w_out.weight

    def embedded(self, side: str, ids: Tensor, start: int, tap: Tap = NO_TAP) -> Tensor:
        """A row for each token: nothing tells it where that stands."""
        x: Tensor = self.words(ids, tap)
        return x

    def first_row(self) -> Callable[[Tensor, int], Tensor]:
        table = self.words.weight
        return lambda token, _place: table[token][None]

    def embedding_sites(self, side: str) -> Iterator[Site]:
        return iter(self.words.sites())

    def embedding(self, side: str, stream: str) -> Embedding:
        return Embedding(
            prefix=f"{side}.embed",
            stream=stream,
            tables=("tokens",),
            positions=None,
            learned_from=None,
            norm=None,
            scaled=False,
            table="words.weight",
        )


def _side(config: T5Config, *, cross: bool) -> Side:
    relative = RelativePositions(
        config.n_heads, config.n_buckets, config.max_distance, bidirectional=not cross
    )
    n_layers = config.decoder_n_layers if cross else config.encoder_n_layers
    return Side(
        (_block(config, cross=cross) for _ in range(n_layers)),
        causal=cross,
        relative=relative,
        final_norm=RMSNorm(config.d_model, config.eps),
    )


def _block(config: T5Config, *, cross: bool) -> PreNormBlock:
    def attention() -> MultiHeadAttention:
        return MultiHeadAttention(
            config.d_model, config.n_heads, d_head=config.d_head or None, bias=False, scaled=False
        )

    def norm() -> RMSNorm:
        return RMSNorm(config.d_model, config.eps)

    network = GatedFeedForward if config.gated else FeedForward
    return PreNormBlock(
        attn=attention(),
        ffn=network(config.d_model, config.d_ff, config.activation, bias=False),
        ln_1=norm(),
        ln_2=norm(),
        cross_attn=attention() if cross else None,
        ln_cross=norm() if cross else None,
    )
