"""The Transformer of 2017: an encoder reads a sentence, a decoder writes its translation.

Vaswani et al. 2017 ("Attention is all you need"): a norm after each residual
sum (section 3.1), fixed sinusoids for positions (3.5), one table for the tokens
of both sides and for the output matrix, its rows counted sqrt(d_model) times
(3.4). The encoder does not know the decoder: its output is computed once,
however much is written.
"""

# Longer than 300 lines: one machine is one file, read from top to bottom.
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.decoding.greedy import greedy
from core.encoders import Encoders
from core.errors import ConfigError, InputTooLongError
from core.inputs import ONE_TEXT, Input, SourceTarget
from core.language import N_, Phrase
from core.locale import Numeral
from core.models.abilities import Ability
from core.models.blueprint import SOURCE, TARGET, Blueprint, Embedding, Head, Stack
from core.models.limits import LARGEST_SIZE, check_blocks, check_sizes
from core.models.prepared import Prepared, batched
from core.nn import one_row
from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.blocks import PostNormBlock, stack_sites
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ActivationName, FeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm
from core.reading.source_target import read_both
from core.tracing.sites import Site, declared, within
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
        for name in ("start_id", "end_id"):
            if not 0 <= getattr(self, name) < self.vocab_size:
                raise ConfigError(name, N_("must be an id of the vocabulary"))


class EncoderStack(nn.Module):
    """Blocks in which every position of the source sees every other."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            _block(config, cross=False) for _ in range(config.encoder_n_layers)
        )

    def forward(self, x: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """``(B, S, D) -> (B, S, D)``."""
        for i, block in enumerate(self.blocks):
            x = block(x, mask=mask, tap=tap.at("blocks", i))
        return x


class DecoderStack(nn.Module):
    """Blocks in which a position sees what was written before it, and all of the source."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            _block(config, cross=True) for _ in range(config.decoder_n_layers)
        )

    def forward(
        self,
        x: Tensor,
        memory: Tensor | Sequence[KeysValues],
        *,
        mask: Tensor | None = None,
        source_mask: Tensor | None = None,
        cache: KVCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``; arguments as in ``Transformer.decode``."""
        for i, block in enumerate(self.blocks):
            x = block(
                x,
                mask=mask,
                causal=mask is None,
                cache=None if cache is None else cache.layers[i],
                source=memory if isinstance(memory, Tensor) else memory[i],
                source_mask=source_mask,
                tap=tap.at("blocks", i),
            )
        return x

    def project(self, memory: Tensor) -> list[KeysValues]:
        """Each block's keys and values of the encoder's output ``(B, S, D)``."""
        return [self._cross(block).keys_values(memory) for block in self.blocks]

    @staticmethod
    def _cross(block: nn.Module) -> MultiHeadAttention:
        assert isinstance(block, PostNormBlock)
        assert block.cross_attn is not None
        return block.cross_attn


def _block(config: TransformerConfig, *, cross: bool) -> PostNormBlock:
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


class Transformer(nn.Module):
    """Encoder and decoder; ``forward`` gives logits ``(B, T, V)`` for the next target token.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    abilities: frozenset[Ability] = frozenset({"translate"})
    takes = ONE_TEXT | {SourceTarget}

    def __init__(self, config: TransformerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = Embeddings(
            config.vocab_size, config.n_ctx, config.d_model, positions="sinusoidal", scaled=True
        )
        self.encoder, self.decoder = EncoderStack(config), DecoderStack(config)
        bias = nn.Parameter(torch.zeros(config.vocab_size)) if config.output_bias else None
        self.output_bias = bias
        if not self.embed.tokens.weight.is_meta:
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
    def blueprint(self) -> Blueprint:
        """The parts in order: two towers, and an edge from the source to the decoder."""
        config = self.config
        decoder = self._stack("decoder", TARGET, config.decoder_n_layers, SOURCE)
        head = Head(
            "translate", "logits", TARGET, reads=decoder.output, table="embed.tokens.weight"
        )
        return Blueprint(
            (
                self._embedding("encoder", SOURCE),
                self._stack("encoder", SOURCE, config.encoder_n_layers, None),
                self._embedding("decoder", TARGET),
                decoder,
                head,
            )
        )

    def _stack(self, name: str, stream: str, n_layers: int, cross: str | None) -> Stack:
        config = self.config
        return Stack(
            name=name,
            prefix=f"{name}.blocks",
            stream=stream,
            n_layers=n_layers,
            d_model=config.d_model,
            n_heads=config.n_heads,
            d_head=config.d_model // config.n_heads,
            d_ff=config.d_ff,
            norm="layer",
            eps=config.eps,
            arrangement="post",
            activation=config.activation,
            gated=False,
            causal=cross is not None,
            cross=cross,
        )

    @staticmethod
    def _embedding(name: str, stream: str) -> Embedding:
        return Embedding(
            prefix=f"{name}.embed",
            stream=stream,
            tables=("tokens", "positions"),
            positions="sinusoidal",
            learned_from=None,
            norm=None,
            scaled=True,
        )

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        for name, stream, blocks, source in (
            ("encoder", SOURCE, self.encoder.blocks, None),
            ("decoder", TARGET, self.decoder.blocks, SOURCE),
        ):
            yield from within(f"{name}.embed", self.embed.sites(), queries=stream)
            yield from within(name, stack_sites(blocks, stream, source))
        meaning = N_(
            "The logits: one number for each vocabulary entry. The higher it is, the more "
            "likely the model finds this entry as the next token."
        )
        yield from declared(
            type(self), Site("logits", ("T", "V"), r"\ell", meaning, queries=TARGET)
        )

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on an input computes with. A target that is not given is written greedily.

        Raises:
            EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
        """
        config = self.config
        rows = read_both(
            given,
            encoders,
            config.n_ctx,
            config.vocab_size,
            start_id=config.start_id,
            write=lambda source: greedy(
                self.begin(source), config.start_id, config.end_id, config.n_ctx
            ),
        )
        return batched(
            rows,
            self.blueprint.attentions,
            pad_id=encoders.tokenizer.pad_id,
            device=self.embed.tokens.weight.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through both towers."""
        self(
            prepared.tensors[SOURCE],
            prepared.tensors[TARGET],
            encoder_mask=prepared.mask("encoder"),
            decoder_mask=prepared.mask("decoder"),
            cross_mask=prepared.mask("cross"),
            tap=tap,
        )

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        *,
        encoder_mask: Tensor | None = None,
        decoder_mask: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the token after each of the target's: teacher forcing, all at once.

        Args:
            source: ids ``(B, S)``, the end mark included.
            target: ids ``(B, T)``, the start mark first.
            encoder_mask, decoder_mask, cross_mask: bool, True = may attend; each broadcasts to
                ``(B, H, Tq, Tk)``. Without them the encoder sees all of the source, the decoder
                what stands before, and all of the source.

        Returns:
            ``(B, T, V)``.
        """
        memory = self.encode(source, mask=encoder_mask, tap=tap)
        return self.decode(target, memory, mask=decoder_mask, source_mask=cross_mask, tap=tap)

    def encode(self, source: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """What the decoder attends to, ``(B, S) -> (B, S, D)``.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        self._check_length(source.shape[1])
        device, tap = self.embed.tokens.weight.device, tap.at("encoder")
        x = self.embed(source.to(device), tap=tap.at("embed"))
        return self.encoder(x, mask=_on(device, mask), tap=tap)

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | Sequence[KeysValues],
        *,
        mask: Tensor | None = None,
        source_mask: Tensor | None = None,
        cache: KVCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits ``(B, T, V)`` after each of the target's tokens ``(B, T)``.

        Args:
            ids: of the target, or of its newest tokens.
            memory: the encoder's output, or each block's keys and values of it.
            mask: in place of the causal mask.
            source_mask: which positions of the source may be attended to.
            cache: the target's keys and values so far; gets the new ones.

        Raises:
            InputTooLongError: more positions than the context holds.
        """
        start = 0 if cache is None else cache.length
        self._check_length(start + ids.shape[1])
        if cache is not None:
            cache.check_room(ids.shape[1])
        device, tower = self.embed.tokens.weight.device, tap.at("decoder")
        x = self.decoder(
            self.embed(ids.to(device), start=start, tap=tower.at("embed")),
            memory,
            mask=_on(device, mask),
            source_mask=_on(device, source_mask),
            cache=cache,
            tap=tower,
        )
        return self.unembed(x, tap)

    def unembed(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From what the decoder hands on to the logits: ``(..., D) -> (..., V)``."""
        return tap("logits", F.linear(x, self.embed.tokens.weight, self.output_bias))

    def begin(
        self, source: Tensor, room: int | None = None, *, source_mask: Tensor | None = None
    ) -> TransformerDecoder:
        """The state of translations that are to be written, of rows of sources ``(B, S)``.

        Args:
            source: ids.
            room: tokens to take memory for; the whole context when None, and at most that.
            source_mask: which positions are no padding, ``(B, 1, 1, S)``.
        """
        config, table = self.config, self.embed.tokens.weight
        memory = self.encode(source, mask=source_mask)
        cache = KVCache.empty(
            config.decoder_n_layers,
            config.n_heads,
            config.d_model // config.n_heads,
            config.n_ctx if room is None else min(room, config.n_ctx),
            batch=len(source),
            device=table.device,
            dtype=table.dtype,
        )
        projected = self.decoder.project(memory)
        return TransformerDecoder(self, projected, _on(table.device, source_mask), cache)

    def _check_length(self, length: int) -> None:
        if length > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, length)


def _on(device: torch.device, mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.to(device)


class TransformerDecoder:
    """Translations that are being written: their keys and values beside those of the sources.

    Args:
        model: the Transformer.
        memory: each block's keys and values of the source, projected once.
        source_mask: which positions of the source are no padding.
        cache: of the targets so far.
    """

    def __init__(
        self,
        model: Transformer,
        memory: Sequence[KeysValues],
        source_mask: Tensor | None,
        cache: KVCache,
    ) -> None:
        self._model, self._memory, self._source_mask = model, memory, source_mask
        self._cache = cache

    @property
    def length(self) -> int:
        """Tokens of each target so far."""
        return self._cache.length

    @property
    def room(self) -> int:
        """Tokens that can still be pushed."""
        return self._cache.room

    @property
    def nbytes(self) -> int:
        """What is kept: of the source once, of the target what is filled."""
        return self._cache.nbytes + sum(k.nbytes + v.nbytes for k, v in self._memory)

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, n, V)`` after each of the tokens ``(B, n)`` that are added.

        Raises:
            InputTooLongError: there is no room for them.
        """
        if self._source_mask is not None or not one_row.fits(ids, self.length, tap):
            return self._model.decode(
                ids, self._memory, source_mask=self._source_mask, cache=self._cache, tap=tap
            )
        self._cache.check_room(1)
        return self._step(ids)

    @cached_property
    def _step(self) -> Callable[[Tensor], Tensor]:
        """One more token of one row, with the weights at hand."""
        embed, cache = self._model.embed, self._cache
        table, positions, scale = embed.tokens.weight, embed.positions.weight, embed.scale or 1.0
        blocks = one_row.through(self._model.decoder.blocks, cache.layers, self._memory)
        unembed = one_row.linear(table, self._model.output_bias)

        def step(ids: Tensor) -> Tensor:
            x = table[ids[0, 0]] * scale + positions[cache.length]
            return unembed(blocks(x[None]))[None]

        return step

    def fork(self, rows: Sequence[int], room: int) -> TransformerDecoder:
        """Targets that go on from rows of this one, each for itself; this one stays as it is.

        Args:
            rows: of this one.
            room: tokens to take memory for; at most what the context has left.
        """
        room = min(room, self._model.config.n_ctx - self.length)
        which = torch.tensor(list(rows))
        memory = [KeysValues(k[which.to(k.device)], v[which.to(v.device)]) for k, v in self._memory]
        mask = self._source_mask
        mask = None if mask is None else mask[which.to(mask.device)]
        return TransformerDecoder(self._model, memory, mask, self._cache.fork(rows, room))
