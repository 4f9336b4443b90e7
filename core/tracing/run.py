"""Run a model once and keep what it computed."""

from __future__ import annotations

import fnmatch
import functools
import operator
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.errors import MaskError, ParameterError, UnknownSiteError
from core.inputs import Batch, Ids, Input, Pair, SourceTarget, Text
from core.language import N_, Phrase
from core.tracing.derived import made_from
from core.tracing.editing import replacements
from core.tracing.edits import Edit
from core.tracing.sites import Site
from core.tracing.tap import Recorder
from core.tracing.trace import Array, Trace

if TYPE_CHECKING:
    from core.models.blueprint import Attention
    from core.models.prepared import Prepared
    from core.zoo import LoadedModel

_Kind = TypeVar("_Kind", bound=np.generic)
ShortRow = str | tuple[str, str] | Sequence[int]
Short = ShortRow | Sequence[ShortRow]


def trace_run(
    model: LoadedModel,
    inputs: Input | Short,
    *,
    target: str | None = None,
    mask: NDArray[np.bool_] | None = None,
    sites: Sequence[str] | None = None,
    edits: Sequence[Edit] = (),
) -> Trace | list[Trace]:
    """Run a model on an input and record every visible tensor.

    Args:
        model: from ``core.zoo.load``.
        inputs: an ``Input``, or in short: a text; ids; a pair of texts as a tuple (two
            segments, for a model that takes them); or any other sequence of such rows, which
            run as one padded batch. A model with an encoder reads a row as its source.
        target: what its decoder reads; without one the model writes it itself, greedily.
        mask: bool ``(T, T)``, True = may attend, in place of the main stack's own.
        sites: names to record or derive, ``*`` matching anything; all when None.
        edits: activations to change on the way.

    Returns:
        A ``Trace``; for a batch one a row, each cut to its own length.

    Raises:
        EmptyInputError: no tokens.
        InputTooLongError, NoRoomError: more tokens than the context.
        MaskError: the mask's shape is not (T, T).
        AbilityError: an input of a kind that the model does not take, or a mask where nothing
            attends to anything.
        EditError: an edit that fits no site of this run.
        ParameterError: what is no input, or an id outside the vocabulary.
        UnknownSiteError: a name or pattern in ``sites`` that fits nothing the model has.
    """
    given = _input(inputs, target, model.config.vocab_size)
    prepared = model.prepare(given)
    if mask is not None:
        attention = model.attention()
        prepared = prepared.under(attention, _checked(mask, prepared.masks[attention.name]))
    traces = run_prepared(model, prepared, sites, edits)
    return traces if isinstance(given, Batch) else traces[0]


def _input(inputs: Input | Short, target: str | None, vocab_size: int) -> Input:
    """The input that a short form stands for.

    Raises:
        ParameterError: it stands for none.
    """
    given = inputs if isinstance(inputs, Input) else _of_short(inputs, vocab_size)
    if target is None:
        return given
    if not isinstance(given, Text):
        raise ParameterError("target", target, N_("given with one text as its source"))
    return SourceTarget(given.text, target)


def _of_short(given: Any, vocab_size: int) -> Input:
    """One row, or a batch of them."""
    two_texts = isinstance(given, tuple) and _are_two_texts(given)
    several = _is_series(given) and len(given) > 0 and _is_series(given[0])
    if isinstance(given, str) or two_texts or not several:
        return _row(given, vocab_size)
    return Batch(tuple(_row(one, vocab_size) for one in given))


def _row(given: Any, vocab_size: int) -> Text | Pair | Ids | SourceTarget:
    if isinstance(given, Text | Pair | Ids | SourceTarget):
        return given
    if not _is_series(given):
        raise ParameterError("inputs", given, N_("a text, a pair of texts, ids, or a list of such"))
    if isinstance(given, str):
        return Text(str(given))
    if _are_two_texts(given):
        return Pair(str(given[0]), str(given[1]))
    return Ids(tuple(_whole(one, vocab_size) for one in given))


def _is_series(given: Any) -> bool:
    """Whether it has a first entry; a text has."""
    return isinstance(given, Sequence | Input) or getattr(given, "ndim", 0) > 0


def _are_two_texts(given: Sequence[Any]) -> bool:
    return len(given) == 2 and all(isinstance(one, str) for one in given)


def _whole(given: Any, vocab_size: int) -> int:
    try:
        return operator.index(given)
    except TypeError:
        wanted = N_("a whole number between {low} and {high}")
        raise ParameterError("id", given, Phrase(wanted, low=0, high=vocab_size - 1)) from None


def _checked(mask: NDArray[np.bool_], own: Tensor) -> Tensor:
    wanted = tuple(own.shape[-2:])
    if np.shape(mask) != wanted:
        raise MaskError(np.shape(mask), wanted)
    # A copy: the trace keeps it.
    return torch.from_numpy(np.array(mask, dtype=bool, order="C")).to(own.device)


def run_prepared(
    model: LoadedModel,
    prepared: Prepared,
    sites: Sequence[str] | None = None,
    edits: Sequence[Edit] = (),
) -> list[Trace]:
    """Record one run of what was prepared: a trace a row; arguments and errors as ``trace_run``."""
    _keep_freed_memory()
    catalogue, blueprint = model.catalogue, model.blueprint
    wanted = None if sites is None else _wanted(sites, catalogue)
    lengths, own = _lengths(prepared)
    recorder = Recorder(wanted, replacements(edits, catalogue, own))
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
    lengths = {name: [len(row[name].tokens) for row in prepared.streams] for name in prepared.ids}
    padding = {name: [row[name].n_padding for row in prepared.streams] for name in prepared.ids}
    own = {
        name: [n - n_padding for n, n_padding in zip(lengths[name], padding[name], strict=True)]
        for name in lengths
    }
    return lengths, own


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
    # hundred of them. A table of a model that still learns has a history.
    if value.requires_grad or value.device.type != "cpu" or value.dtype != torch.float32:
        value = value.detach().to("cpu", torch.float32)
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
    own = mask[row, 0] if mask.ndim == 4 else mask
    n_queries, n_keys = (lengths[stream][row] for stream in (attention.queries, attention.keys))
    return _frozen(own[:n_queries, :n_keys].copy())


def _frozen(value: NDArray[_Kind]) -> NDArray[_Kind]:
    """The array itself, from now on read-only, as is every view of it."""
    value.flags.writeable = False
    return value


def _wanted(sites: Sequence[str], catalogue: Mapping[str, Site]) -> Callable[[str], bool]:
    """Whether a site is one of those asked for, or one that such a site is derived from."""
    chosen: set[str] = set()
    for asked in sites:
        found = fnmatch.filter(catalogue, asked)
        if not found:
            raise UnknownSiteError.near_to(asked, catalogue)
        chosen.update(part for name in found for part in made_from(name))
    return chosen.__contains__
