"""A machine that no file of the house knows: gates, RMSNorm, a bias for each distance, no biases.

A decoder-only stack put together as T5 v1.1 does it (Raffel et al. 2020;
Shazeer 2020): no position vectors but a number for each head and distance on
the scores, dot products that are not divided, a gated feed-forward, RMSNorm, no
linear map with a bias, heads wider than their share, and an output matrix of its
own. Its names are its own, too. Random weights; it is here to see that nobody
asks which machine it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from core.decoding import one_row
from core.encoders import Encoders
from core.errors import InputTooLongError
from core.inputs import ONE_TEXT, Input
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint, Embedding, Head, Norm, Stack
from core.models.prepared import Prepared, batched, read
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PreNormBlock, stack_sites
from core.nn.embeddings import WordVectors
from core.nn.feedforward import GatedFeedForward
from core.nn.kv_cache import KVCache
from core.nn.norms import RMSNorm
from core.nn.positions import RelativePositions
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class RelativeConfig:
    """The sizes, under names of its own."""

    vocab_size: int
    n_ctx: int
    width: int
    depth: int
    heads: int
    head_width: int
    hidden: int
    n_buckets: int = 4
    furthest: int = 8


class Body(nn.Module):
    """The blocks, and the bias that all of them add to their scores."""

    def __init__(self, config: RelativeConfig) -> None:
        super().__init__()
        self.relative = RelativePositions(
            config.heads, config.n_buckets, config.furthest, bidirectional=False
        )
        self.blocks = nn.ModuleList(
            PreNormBlock(
                attn=MultiHeadAttention(
                    config.width, config.heads, d_head=config.head_width, bias=False, scaled=False
                ),
                ffn=GatedFeedForward(config.width, config.hidden, "silu", bias=False),
                ln_1=RMSNorm(config.width),
                ln_2=RMSNorm(config.width),
            )
            for _ in range(config.depth)
        )

    def forward(
        self, x: Tensor, mask: Tensor | None, cache: KVCache | None, tap: Tap = NO_TAP
    ) -> Tensor:
        """``(B, T, D) -> (B, T, D)``."""
        before = 0 if cache is None else cache.length
        bias = self.relative(x.shape[1], before + x.shape[1], tap.at("relative"))
        for i, block in enumerate(self.blocks):
            layer = None if cache is None else cache.layers[i]
            x = block(
                x, mask=mask, causal=mask is None, cache=layer, bias=bias, tap=tap.at("blocks", i)
            )
        return x

    def sites(self) -> Iterator[Site]:
        yield from within("relative", self.relative.sites())
        yield from stack_sites(self.blocks, ONE_STREAM, biased=True)


class Relative(nn.Module):
    """``forward`` gives logits ``(B, T, V)`` for the next token."""

    abilities: frozenset[Ability] = frozenset({"next_token"})
    takes = ONE_TEXT

    def __init__(self, config: RelativeConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.words = WordVectors(config.vocab_size, config.width)
        self.body = Body(config)
        self.last = RMSNorm(config.width)
        self.w_out = nn.Linear(config.width, config.vocab_size, bias=False)
        if not self.w_out.weight.is_meta:
            for parameter in self.parameters():
                if parameter.ndim > 1:
                    nn.init.normal_(parameter, 0.0, 0.3, generator=generator)

    @property
    def blueprint(self) -> Blueprint:
        config = self.config
        stack = Stack(
            name="body",
            prefix="body.blocks",
            stream=ONE_STREAM,
            n_layers=config.depth,
            d_model=config.width,
            n_heads=config.heads,
            d_head=config.head_width,
            d_ff=config.hidden,
            norm="rms",
            eps=self.last.eps,
            arrangement="pre",
            activation="silu",
            gated=True,
            causal=True,
            cross=None,
            positions="relative",
            scaled=False,
            biases=False,
        )
        words = Embedding("words", ONE_STREAM, ("tokens",), None, None, norm=None, scaled=False,
                          table="words.weight")  # fmt: skip
        last = Norm("last", ONE_STREAM, "rms", reads=stack.output, eps=self.last.eps)
        head = Head("next_token", "said", ONE_STREAM, reads="last.out", table="w_out.weight")
        return Blueprint((words, stack, last, head))

    def sites(self) -> Iterator[Site]:
        yield from within("words", self.words.sites())
        yield from within("body", self.body.sites())
        yield from within("last", self.last.sites(r"\mathrm{RMS}"))
        meaning = N_("One number for each vocabulary entry.")
        yield from declared(type(self), Site("said", ("T", "V"), r"\ell", meaning))

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        rows = read(given, encoders, self.config.n_ctx, self.config.vocab_size)
        return batched(
            [{ONE_STREAM: row} for row in rows],
            self.blueprint.attentions,
            pad_id=encoders.tokenizer.pad_id,
            device=self.w_out.weight.device,
        )

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        self(prepared.tensors[ONE_STREAM], mask=prepared.mask("self"), tap=tap)

    def forward(
        self,
        ids: Tensor,
        *,
        mask: Tensor | None = None,
        cache: KVCache | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits for the token after each position, as GPT gives them."""
        n = ids.shape[1] + (0 if cache is None else cache.length)
        if n > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, n)
        x = self.words(ids, tap.at("words"))
        x = self.body(x, mask, cache, tap.at("body"))
        return tap("said", self.w_out(self.last(x, tap.at("last"))))

    def begin(self, room: int | None = None) -> Writer:
        """The state of a text that is to be written."""
        config, table = self.config, self.words.weight
        room = config.n_ctx if room is None else min(room, config.n_ctx)
        cache = KVCache.empty(
            config.depth, config.heads, config.head_width, room,
            device=table.device, dtype=table.dtype,
        )  # fmt: skip
        return Writer(self, cache)


class Writer:
    """A text that is being written: its keys and values."""

    def __init__(self, model: Relative, cache: KVCache) -> None:
        self._model, self._cache = model, cache

    @property
    def length(self) -> int:
        return self._cache.length

    @property
    def room(self) -> int:
        return self._cache.room

    @property
    def nbytes(self) -> int:
        return self._cache.nbytes

    def push(self, ids: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, n, V)`` after each of the tokens that are added."""
        self._cache.check_room(ids.shape[1])
        if one_row.fits(ids, self.length, tap):
            return self._step(ids)
        return self._model(ids, cache=self._cache, tap=tap)

    @cached_property
    def _step(self) -> Callable[[Tensor], Tensor]:
        model, body = self._model, self._model.body
        blocks = one_row.through(
            body.blocks, self._cache.layers, bias=body.relative(1, model.config.n_ctx)
        )
        last, said = one_row.norm(model.last), one_row.linear(model.w_out.weight)
        return lambda ids: said(last(blocks(model.words.weight[ids[0]])))[None]

    def fork(self, rows: Sequence[int], room: int) -> Writer:
        """Texts that go on from rows of this one."""
        room = min(room, self._model.config.n_ctx - self.length)
        return Writer(self._model, self._cache.fork(rows, room))
