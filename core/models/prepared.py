"""What a model computes with: the tensor of each stream, what stands in it, the masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from core.encoders import Encoders
from core.errors import EmptyInputError, ParameterError
from core.inputs import Input
from core.language import N_
from core.models.blueprint import Attention
from core.nn.masks import causal_mask, full_mask, padding_mask
from core.reading import BatchRow, rows_of
from core.tracing.trace import Stream


def read(given: Input, encoders: Encoders, n_ctx: int, vocab_size: int) -> list[BatchRow]:
    """The rows of a text, or of several, that a model with one stream of tokens is given.

    Args:
        given: the input.
        encoders: the model's.
        n_ctx, vocab_size: its limits.

    Raises:
        EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``BatchRow.check``.
    """
    rows = rows_of(given, encoders)
    if not rows:
        raise EmptyInputError
    for row in rows:
        row.check(n_ctx, vocab_size)
    return rows


@dataclass(frozen=True, eq=False)
class Prepared:
    """What one run computes with.

    Attributes:
        tensors: of each stream: ids ``(B, T)`` or the letters of words ``(B, T, W)``, rows filled
            up with padding, or pixels ``(B, C, height, width)``.
        streams: for each row of the batch what stands in every stream, without what filled it up.
        masks: bool, in force in each kind of attention: ``(Tq, Tk)`` or ``(B, 1, Tq, Tk)``.
        passed: names of the masks that are not the model's own, so that it must be given them.
        types: segments ``(B, T)``; None when there is one.
        seconds: what it took the model to write the targets that it was not given.
    """

    tensors: Mapping[str, Tensor]
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
            lengths = [len(row[attention.keys].units) for row in self.streams]
            mask = mask & padding_mask(lengths, mask.shape[-1], mask.device)
        return replace(
            self,
            masks={**self.masks, attention.name: mask},
            passed=self.passed | {attention.name},
        )


def batched(
    rows: Sequence[Mapping[str, BatchRow]],
    attentions: Iterable[Attention],
    *,
    pad_id: int,
    device: torch.device,
) -> Prepared:
    """What a run on some rows computes with.

    Args:
        rows: read, each with every stream of the model.
        attentions: of the model, each with its own mask; a batch's hides the padding.
        pad_id: what fills short rows of ids up.
        device: of the model.

    Raises:
        ParameterError: there is no row.
    """
    if not rows:
        raise ParameterError("rows", 0, N_("at least 1"))
    lengths = {stream: [len(row[stream].stream.units) for row in rows] for stream in rows[0]}
    tensors = {
        stream: _stacked([row[stream] for row in rows], pad_id, device) for stream in rows[0]
    }
    masks = {}
    for attention in attentions:
        n_queries, n_keys = max(lengths[attention.queries]), max(lengths[attention.keys])
        may_attend = (causal_mask if attention.causal else full_mask)(n_queries, n_keys, device)
        if len(rows) > 1:
            may_attend = may_attend & padding_mask(lengths[attention.keys], n_keys, device)
        masks[attention.name] = may_attend
    return Prepared(
        tensors=tensors,
        streams=tuple({stream: part.stream for stream, part in row.items()} for row in rows),
        masks=masks,
        passed=frozenset(masks if len(rows) > 1 else ()),
        types=_types([next(iter(row.values())) for row in rows], next(iter(tensors.values()))),
        seconds=sum(part.seconds for row in rows for part in row.values()),
    )


def _stacked(rows: Sequence[BatchRow], pad_id: int, device: torch.device) -> Tensor:
    """The tensors of rows in one, rows of ids or letters filled up to the longest."""
    tensors = [row.tensor for row in rows]
    if rows[0].pixels is None:
        return pad_sequence(tensors, batch_first=True, padding_value=pad_id).to(device)
    return torch.stack(tensors).to(device)


def _types(rows: Sequence[BatchRow], ids: Tensor) -> Tensor | None:
    if all(row.types is None for row in rows):
        return None
    types = torch.zeros(ids.shape[:2], dtype=torch.long, device=ids.device)
    for n, row in enumerate(rows):
        if row.types is not None:
            types[n, : len(row.types)] = torch.tensor(row.types)
    return types
