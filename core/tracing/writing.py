"""What a model writes when a run is changed: under the same mask and edits as the run itself.

A decoder that is given no target writes one before it is traced. Written by the
model as it is, that target would be a translation which the changed model never
makes: with its cross-attention closed it would still seem to know the source.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from core.decoding.greedy import likeliest
from core.inputs import Batch, Ids, Input, SourceTarget
from core.models.blueprint import TARGET
from core.models.prepared import Prepared
from core.tracing.edits import Edit
from core.tracing.recording import run_prepared

if TYPE_CHECKING:
    from core.zoo import LoadedModel

Under = Callable[[Prepared], Prepared]  # from the model's own masks to those of a run


def is_to_write(model: LoadedModel, given: Input) -> bool:
    """Whether a run on an input begins with a target that the model writes itself."""
    return SourceTarget in model.model.takes and any(
        not isinstance(row, SourceTarget) or row.target is None for row in rows_of(given)
    )


def rows_of(given: Input) -> tuple[Input, ...]:
    """The rows of a batch; an input that is none is its own."""
    return given.rows if isinstance(given, Batch) else (given,)


def with_targets(given: Input, targets: Sequence[Sequence[int]]) -> Input:
    """An input whose rows have these ids as their targets, where they have none."""
    rows = tuple(
        row
        if isinstance(row, SourceTarget) and row.target is not None
        else SourceTarget(row.source if isinstance(row, SourceTarget) else row, Ids(tuple(ids)))  # type: ignore[arg-type]
        for row, ids in zip(rows_of(given), targets, strict=True)
    )
    return Batch(rows) if isinstance(given, Batch) else rows[0]


def written_under(
    model: LoadedModel, given: Input, under: Under, edits: Sequence[Edit], room: int
) -> Prepared:
    """An input prepared with the targets that the model writes, greedily, under masks and edits.

    Every token is the likeliest of a run on what was written before: no cache holds what a mask
    hides, and an edit of a position waits until it is there.

    Args:
        model: that writes.
        given: some of whose rows have no target.
        under: the masks of the run; what is returned still has the model's own.
        edits: of the run.
        room: the longest target there can be.
    """
    began = time.perf_counter()
    targets = [_written(model, row, under, edits, room) for row in rows_of(given)]
    seconds = time.perf_counter() - began
    prepared = model.prepare(with_targets(given, targets))
    return replace(prepared, seconds=prepared.seconds + seconds)


def _written(
    model: LoadedModel, row: Input, under: Under, edits: Sequence[Edit], room: int
) -> list[int]:
    if isinstance(row, SourceTarget) and row.target is not None:
        return []
    config, logits = model.config, model.blueprint.head.site

    def after(ids: Sequence[int]) -> torch.Tensor:
        prepared = under(model.prepare(with_targets(row, [ids])))
        there = [edit for edit in edits if _is_there(model, edit, len(ids))]
        [trace] = run_prepared(model, prepared, [logits], there)
        return torch.tensor(trace[logits][-1])

    return likeliest(after, config.start_id, config.end_id, min(room, config.n_ctx))


def _is_there(model: LoadedModel, edit: Edit, n: int) -> bool:
    """Whether the positions of a target of ``n`` tokens that an edit names have been written."""
    site = model.catalogue.get(edit.site)
    if site is None:
        return True
    return all(
        entry is None or site.stream(axis) != TARGET or -n <= entry < n
        for axis, entry in zip(site.axes, edit.index, strict=False)
    )
