"""One recorded run of what was prepared, as traces."""

from __future__ import annotations

import fnmatch
import functools
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.errors import UnknownSiteError
from core.tracing.derived import made_from
from core.tracing.editing import replacements
from core.tracing.edits import Edit
from core.tracing.sites import Site
from core.tracing.tap import Recorder
from core.tracing.trace import Array, Trace

if TYPE_CHECKING:
    from core.models.blueprint import Attention
    from core.models.prepared import Prepared
    from core.tracing.tap import Replace
    from core.zoo import LoadedModel

_Kind = TypeVar("_Kind", bound=np.generic)


def run_prepared(
    model: LoadedModel,
    prepared: Prepared,
    sites: Sequence[str] | None = None,
    edits: Sequence[Edit] = (),
    changes: Mapping[str, Replace] = MappingProxyType({}),
) -> list[Trace]:
    """Record one run of what was prepared: a trace a row; arguments and errors as ``trace_run``.

    Args:
        model, prepared, sites, edits: what runs on what, what is recorded and changed in it.
        changes: further functions of the values of single sites, as those of ``Recorder``.
    """
    _keep_freed_memory()
    catalogue, blueprint = model.catalogue, model.blueprint
    is_wanted = None if sites is None else _site_filter(sites, catalogue)
    lengths, row_lengths = _lengths(prepared)
    recorder = Recorder(is_wanted, {**replacements(edits, catalogue, row_lengths), **changes})
    began = time.perf_counter()
    with torch.inference_mode():
        model.model.observe(prepared, recorder)
    recorder.check_edits()
    arrays = {name: _to_numpy(value) for name, value in recorder.values.items()}
    seconds = time.perf_counter() - began + prepared.seconds
    masks = [(name, mask.cpu().numpy(), blueprint.attention(name))
             for name, mask in prepared.masks.items()]  # fmt: skip
    alone = len(prepared.streams) == 1
    return [
        Trace(
            model=model.id,
            blueprint=blueprint,
            config=model.config,
            catalogue=catalogue,
            streams=streams,
            masks={name: _mask_of(mask, row, of, lengths) for name, mask, of in masks},
            weights=model.weights,
            device=str(model.device),
            dtype=str(model.dtype).removeprefix("torch."),
            seconds=seconds,
            arrays={
                name: value[0] if alone else _cut(catalogue[name], value, row, lengths)
                for name, value in arrays.items()
            },
        )
        for row, streams in enumerate(prepared.streams)
    ]


_Lengths = dict[str, list[int]]


def _lengths(prepared: Prepared) -> tuple[_Lengths, _Lengths]:
    """The positions of every row of each stream, and how many of them are no padding."""
    names = list(prepared.tensors)
    lengths = {name: [len(row[name].units) for row in prepared.streams] for name in names}
    padding = {name: [row[name].n_padding for row in prepared.streams] for name in names}
    by_stream = {
        name: [n - n_padding for n, n_padding in zip(lengths[name], padding[name], strict=True)]
        for name in lengths
    }
    return lengths, by_stream


@functools.cache
def _keep_freed_memory() -> None:
    """Let the next trace have the memory of the last one dropped.

    A trace is many arrays and tens of MB. The GNU C library hands what is freed
    back to the system piece by piece and gets it anew page by page, which took a
    third of a run. A block of nearly 32 MB, freed, moves its dynamic threshold
    (mallopt(3)): it keeps up to twice as much. Elsewhere this does nothing.
    """
    torch.empty(31 << 20, dtype=torch.uint8)


def _to_numpy(value: Tensor) -> Array:
    # The same memory when it is that already, which most are: asking first halves the time of a
    # hundred of them. What this run has not made is a parameter, which may learn on: a copy.
    if not value.is_inference():
        value = value.detach().clone()
    if value.device.type != "cpu" or value.dtype != torch.float32:
        value = value.to("cpu", torch.float32)
    return _frozen(value.numpy())


def _cut(site: Site, batch: Array, row: int, lengths: Mapping[str, list[int]]) -> Array:
    """A row without its padding: every axis that runs over positions ends with its stream."""
    value = batch[0 if len(batch) == 1 else row]  # a table may be shared by all
    streams = [site.stream(axis) for axis in site.axes]
    ends = tuple(slice(None if s is None else lengths[s][row]) for s in streams)
    # A view would keep the whole batch in memory for as long as one of its texts is kept.
    return _frozen(value[ends].copy())


def _mask_of(
    mask: NDArray[np.bool_], row: int, attention: Attention, lengths: Mapping[str, list[int]]
) -> NDArray[np.bool_]:
    """A row's mask without its padding, from ``(Tq, Tk)`` or ``(B, 1, Tq, Tk)``."""
    own_mask = mask[row, 0] if mask.ndim == 4 else mask
    n_queries, n_keys = (lengths[stream][row] for stream in (attention.queries, attention.keys))
    return _frozen(own_mask[:n_queries, :n_keys].copy())


def _frozen(value: NDArray[_Kind]) -> NDArray[_Kind]:
    """The array itself, from now on read-only, as is every view of it."""
    value.flags.writeable = False
    return value


def _site_filter(sites: Sequence[str], catalogue: Mapping[str, Site]) -> Callable[[str], bool]:
    """Whether a site is one of those asked for, or one that such a site is derived from."""
    chosen: set[str] = set()
    for pattern in sites:
        names = fnmatch.filter(catalogue, pattern)
        if not names:
            raise UnknownSiteError.near_to(pattern, catalogue)
        chosen.update(part for name in names for part in made_from(name))
    return chosen.__contains__
