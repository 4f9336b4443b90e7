"""GPT-2: a decoder-only Transformer that predicts the next token.

Radford et al. 2019 ("Language Models are Unsupervised Multitask Learners"),
section 2.3: norms before each sub-layer and one after the last block, learned
positions, the output matrix tied to the token embedding, and residual
projections initialised smaller the deeper the model is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.decoding import one_row
from core.encoders import Encoders
from core.errors import InputTooLongError
from core.inputs import ONE_TEXT, Input
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint, Head
from core.models.derived import embedding_of, norm_of, stack_of
from core.models.limits import check_blocks, check_sizes
from core.models.prepared import Prepared, batched, read
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PreNormBlock, stack_sites
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ActivationName, FeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import LayerNorm
from core.tracing.sites import Site, declared, within
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
        check_blocks(self)


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

    abilities: frozenset[Ability] = frozenset({"next_token"})
    takes = ONE_TEXT

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order."""
        stack = stack_of(self.blocks, "blocks", ONE_STREAM, causal=True)
        embedding = embedding_of(self.embed, "embed", ONE_STREAM)
        norm = norm_of(self.final_norm, "final_norm", ONE_STREAM, stack.output)
        table = "embed.tokens.weight"
        head = Head("next_token", "logits", ONE_STREAM, reads="final_norm.out", table=table)
        return Blueprint((embedding, stack, norm, head))

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        yield from within("embed", self.embed.sites())
        yield from stack_sites(self.blocks, ONE_STREAM)
        yield from within("final_norm", self.final_norm.sites(r"\mathrm{LN}_f"))
        yield from declared(
            type(self),
            Site("logits", ("T", "V"), r"\ell", N_("The logits: one number for each "
                                                   "vocabulary entry. The higher it is, the "
                                                   "more likely the model finds this entry as "
                                                   "the next token.")),
        )  # fmt: skip

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on an input computes with.

        Raises:
            EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
        """
        rows = read(given, encoders, self.config.n_ctx, self.config.vocab_size)
        return batched(
            [{ONE_STREAM: row} for row in rows],
            self.blueprint.attentions,
            pad_id=encoders.tokenizer.pad_id,
            device=self.embed.rows.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run through the whole model."""
        self(prepared.tensors[ONE_STREAM], mask=prepared.mask("self"), tap=tap)

    def begin(self, room: int | None = None) -> GPTDecoder:
        """The state of a text that is to be written.

        Args:
            room: tokens to take memory for; the whole context when None, and at most that.
        """
        n_ctx = self.config.n_ctx
        return GPTDecoder(self, self.make_cache(n_ctx if room is None else min(room, n_ctx)))

    def make_cache(self, n_ctx: int | None = None, batch: int = 1) -> KVCache:
        """An empty key-value cache for ``n_ctx`` positions (the model's context when None)."""
        config, table = self.config, self.embed.rows
        return KVCache.empty(
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
        table = self.embed.rows
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
        return self.unembed(x, tap)

    def unembed(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """From what the last block hands on to the logits: ``(..., D) -> (..., V)``."""
        x = self.final_norm(x, tap.at("final_norm"))
        return tap("logits", F.linear(x, self.embed.rows))


class GPTDecoder:
    """A text that is being written: the keys and values of what stands there already.

    Args:
        model: the language model.
        cache: of the text so far.
    """

    def __init__(self, model: GPT, cache: KVCache) -> None:
        self._model, self._cache = model, cache

    @property
    def length(self) -> int:
        """Tokens so far."""
        return self._cache.length

    @property
    def room(self) -> int:
        """Tokens that can still be pushed."""
        return self._cache.room

    @property
    def nbytes(self) -> int:
        """What the filled part of the cache holds."""
        return self._cache.nbytes

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, n, V)`` after each of the tokens ``(B, n)`` that are added.

        Raises:
            InputTooLongError: there is no room for them.
        """
        if not one_row.fits(ids, self.length, tap):
            return self._model(ids, cache=self._cache, tap=tap)
        self._cache.check_room(1)
        return self._step(ids)

    @cached_property
    def _step(self) -> Callable[[Tensor], Tensor]:
        """One more token of one row, with the weights at hand."""
        model, cache = self._model, self._cache
        table, positions = model.embed.rows, model.embed.positions.weight
        blocks = one_row.through(model.blocks, cache.layers)
        final_norm, unembed = one_row.norm(model.final_norm), one_row.linear(table)

        def step(ids: Tensor) -> Tensor:
            x = table[ids[0, 0]] + positions[cache.length]
            return unembed(final_norm(blocks(x[None])))[None]

        return step

    def fork(self, rows: Sequence[int], room: int) -> GPTDecoder:
        """Texts that go on from rows of this one, each for itself; this one stays as it is.

        Args:
            rows: of this one.
            room: tokens to take memory for; at most what the context has left.
        """
        room = min(room, self._model.config.n_ctx - self.length)
        return GPTDecoder(self._model, self._cache.fork(rows, room))
