"""From what a model is given to what it computes with: ids, the tokens of each row, the masks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch

import numpy as np
import torch
from torch import Tensor

from core.errors import EmptyInputError, InputTooLongError, NoRoomError, ParameterError
from core.inputs import Batch, Ids, Input, Padded, Pair, Shuffled, SourceTarget, Text
from core.language import N_, Phrase
from core.models.blueprint import SOURCE, TARGET, Attention
from core.nn.masks import causal_mask, full_mask, padding_mask
from core.text.tokenizer import Tokenizer
from core.tracing.trace import Stream
from core.units import Token


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a batch, read.

    Attributes:
        stream: its tokens and where they stood.
        types: the segment of each; None for a row that has one.
        n_marks: how many of the tokens are the model's own marks.
        seconds: what it took the model to write it; 0 for what was given.
    """

    stream: Stream
    types: tuple[int, ...] | None = None
    n_marks: int = 0
    seconds: float = 0.0

    def check(self, n_ctx: int, vocab_size: int) -> None:
        """See that a model can take it.

        Raises:
            EmptyInputError: it has no token.
            NoRoomError: the context does not even hold the marks.
            InputTooLongError: it is longer than the context.
            ParameterError: an id outside the vocabulary.
        """
        n = len(self.stream.tokens)
        if not n:
            raise EmptyInputError
        if self.n_marks > n_ctx:
            raise NoRoomError(n_ctx, self.n_marks)
        if n > n_ctx:
            raise InputTooLongError(n_ctx, n)
        for token_id in self.stream.ids:
            if not 0 <= token_id < vocab_size:
                raise ParameterError(
                    "id",
                    token_id,
                    Phrase(N_("between {low} and {high}"), low=0, high=vocab_size - 1),
                )


def read(given: Input, tokenizer: Tokenizer, n_ctx: int, vocab_size: int) -> list[Row]:
    """The rows of what a model is given.

    Args:
        given: a source and a target stand side by side: see ``read_both``.
        tokenizer: the model's.
        n_ctx, vocab_size: its limits.

    Raises:
        EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
    """
    rows = _rows(given, tokenizer)
    if not rows:
        raise EmptyInputError
    for row in rows:
        row.check(n_ctx, vocab_size)
    return rows


def read_both(
    given: Input,
    tokenizer: Tokenizer,
    n_ctx: int,
    vocab_size: int,
    *,
    start_id: int,
    write: Callable[[Tensor], Sequence[int]],
) -> list[Mapping[str, Row]]:
    """The rows of what a model with an encoder and a decoder is given, with both streams.

    Args:
        given: its sources, or sources and targets.
        tokenizer: the model's.
        n_ctx, vocab_size: its limits, on either side.
        start_id: the token that every target begins with.
        write: from the ids of a source ``(1, S)`` to those of a target, for one that has none.

    Raises:
        EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
    """
    one_by_one = given.rows if isinstance(given, Batch) else (given,)
    sides = [(one.source, one.target) if isinstance(one, SourceTarget) else (one, None)
             for one in one_by_one]  # fmt: skip
    rows: list[Mapping[str, Row]] = []
    for source_given, target_given in sides:
        source_input = Text(source_given) if isinstance(source_given, str) else source_given
        (source,) = read(source_input, tokenizer, n_ctx, vocab_size)
        if target_given is None:
            began = time.perf_counter()
            ids = write(torch.tensor([source.stream.ids]))
            written = Stream(tuple(map(tokenizer.token, ids)), written=True)
            target = Row(written, seconds=time.perf_counter() - began)
        elif isinstance(target_given, Ids):
            target = Row(Stream(tuple(map(tokenizer.token, target_given.ids)), written=True))
        else:
            start = tokenizer.token(start_id)
            target = Row(Stream((start, *tokenizer.body(target_given))), n_marks=1)
        target.check(n_ctx, vocab_size)
        rows.append({SOURCE: source, TARGET: target})
    if not rows:
        raise EmptyInputError
    return rows


@singledispatch
def _rows(given: Input, tokenizer: Tokenizer) -> list[Row]:
    raise TypeError(f"{type(tokenizer).__name__} reads no {type(given).__name__}")


@_rows.register
def _(given: Text, tokenizer: Tokenizer) -> list[Row]:
    tokens = tokenizer.tokens(given.text, masks=True)
    return [Row(Stream(tuple(tokens)), n_marks=len(tokenizer.tokens("")))]


@_rows.register
def _(given: Pair, tokenizer: Tokenizer) -> list[Row]:
    tokens, types = tokenizer.pair_tokens(given.first, given.second)
    n_marks = len(tokenizer.pair_tokens("", "")[0])
    return [Row(Stream(tuple(tokens)), tuple(types), n_marks)]


@_rows.register
def _(given: Ids, tokenizer: Tokenizer) -> list[Row]:
    return [Row(Stream(tuple(map(tokenizer.token, given.ids))))]


@_rows.register
def _(given: Batch, tokenizer: Tokenizer) -> list[Row]:
    return [row for one in given.rows for row in _rows(one, tokenizer)]


@_rows.register
def _(given: Shuffled, tokenizer: Tokenizer) -> list[Row]:
    (row,) = _rows(given.text, tokenizer)
    tokens = row.stream.tokens
    order = shuffled(tokens, given.seed)
    return [replace(row, stream=Stream(tuple(tokens[at] for at in order), order=order))]


@_rows.register
def _(given: Padded, tokenizer: Tokenizer) -> list[Row]:
    (row,) = _rows(given.row, tokenizer)
    own = row.stream
    longest = max((len(tokenizer.tokens(text, masks=True)) for text in given.beside), default=0)
    n = max(0, longest - len(own.tokens))
    padding = (tokenizer.token(tokenizer.pad_id),) * n
    return [replace(row, stream=replace(own, tokens=own.tokens + padding, n_padding=n))]


def shuffled(tokens: Sequence[Token], seed: int) -> tuple[int, ...]:
    """Which token stands at each position after a shuffle; the model's marks keep their place."""
    places = [at for at, token in enumerate(tokens) if not token.special]
    order = list(range(len(tokens)))
    for place, at in zip(places, np.random.default_rng(seed).permutation(places), strict=True):
        order[place] = int(at)
    return tuple(order)


@dataclass(frozen=True, eq=False)
class Prepared:
    """What one run computes with.

    Attributes:
        ids: ``(B, T)`` of each stream, rows filled up with padding.
        streams: for each row of the batch the tokens of every stream, without what filled it up.
        masks: bool, in force in each kind of attention: ``(Tq, Tk)`` or ``(B, 1, Tq, Tk)``.
        passed: names of the masks that are not the model's own, so that it must be given them.
        types: segments ``(B, T)``; None when there is one.
        seconds: what it took the model to write the targets that it was not given.
    """

    ids: Mapping[str, Tensor]
    streams: tuple[Mapping[str, Stream], ...]
    masks: Mapping[str, Tensor]
    passed: frozenset[str] = field(default=frozenset())
    types: Tensor | None = None
    seconds: float = 0.0

    def mask(self, attention: str) -> Tensor | None:
        """The mask to give to the model; None for its own, which costs least if it makes it."""
        return self.masks[attention] if attention in self.passed else None

    def under(self, attention: Attention, mask: Tensor) -> Prepared:
        """The same with another mask ``(Tq, Tk)`` in one kind of attention; padding stays hidden."""
        if len(self.streams) > 1:
            lengths = [len(row[attention.keys].tokens) for row in self.streams]
            mask = mask & padding_mask(lengths, mask.shape[-1], mask.device)
        return replace(
            self,
            masks={**self.masks, attention.name: mask},
            passed=self.passed | {attention.name},
        )


def batched(
    rows: Sequence[Mapping[str, Row]],
    attentions: Iterable[Attention],
    *,
    pad_id: int,
    device: torch.device,
) -> Prepared:
    """What a run on some rows computes with.

    Args:
        rows: read, each with every stream of the model.
        attentions: of the model, each with its own mask; a batch's hides the padding.
        pad_id: what fills short rows up.
        device: of the model.
    """
    lengths = {stream: [len(row[stream].stream.tokens) for row in rows] for stream in rows[0]}
    ids = {
        stream: torch.tensor(
            [
                [*row[stream].stream.ids, *[pad_id] * (max(of_stream) - n)]
                for row, n in zip(rows, of_stream, strict=True)
            ],
            device=device,
        )
        for stream, of_stream in lengths.items()
    }
    masks = {}
    for one in attentions:
        n_queries, n_keys = max(lengths[one.queries]), max(lengths[one.keys])
        may_attend = (causal_mask if one.causal else full_mask)(n_queries, n_keys, device)
        if len(rows) > 1:
            may_attend = may_attend & padding_mask(lengths[one.keys], n_keys, device)
        masks[one.name] = may_attend
    return Prepared(
        ids=ids,
        streams=tuple({stream: one.stream for stream, one in row.items()} for row in rows),
        masks=masks,
        passed=frozenset(masks if len(rows) > 1 else ()),
        types=_types([next(iter(row.values())) for row in rows], next(iter(ids.values()))),
        seconds=sum(one.seconds for row in rows for one in row.values()),
    )


def _types(rows: Sequence[Row], ids: Tensor) -> Tensor | None:
    if all(row.types is None for row in rows):
        return None
    types = torch.zeros_like(ids)
    for n, row in enumerate(rows):
        if row.types is not None:
            types[n, : len(row.types)] = torch.tensor(row.types)
    return types
