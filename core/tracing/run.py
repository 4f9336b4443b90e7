"""Run a model once and keep what it computed."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.errors import MaskError, ParameterError
from core.inputs import Batch, Ids, Input, Pair, Picture, SourceTarget, Text
from core.language import N_
from core.tracing.edits import Edit
from core.tracing.recording import run_prepared
from core.tracing.trace import Trace
from core.tracing.writing import Under, is_to_write, written_under

if TYPE_CHECKING:
    from core.models.blueprint import Attention
    from core.models.prepared import Prepared
    from core.zoo import LoadedModel

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

    A target that is not given is written under the mask and the edits of the run; under a mask it
    gets no longer than the mask is, which is as long as it would have been without.

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
    given = _input(inputs, target)
    prepared = model.prepare(given)
    under: Under = _as_it_is
    room = None
    if mask is not None:
        attention = model.attention()
        own_mask = prepared.masks[attention.name]
        under, room = _corner(attention, _checked(mask, own_mask)), own_mask.shape[-2]
    if (mask is not None or edits) and is_to_write(model, given):
        prepared = written_under(
            model, given, under, edits, model.config.n_ctx if room is None else room
        )
    traces = run_prepared(model, under(prepared), sites, edits)
    return traces if isinstance(given, Batch) else traces[0]


def _input(inputs: Input | Short, target: str | None) -> Input:
    """The input that a short form stands for.

    Raises:
        ParameterError: it stands for none.
    """
    given = inputs if isinstance(inputs, Input) else _of_short(inputs)
    if target is None:
        return given
    if not isinstance(given, Text):
        raise ParameterError("target", target, N_("given with one text as its source"))
    return SourceTarget(given.text, target)


def _of_short(value: Any) -> Input:
    """One row, or a batch of them."""
    two_texts = isinstance(value, tuple) and _are_two_texts(value)
    several = _is_series(value) and len(value) > 0 and _is_series(value[0])
    if isinstance(value, str) or two_texts or not several:
        return _row(value)
    return Batch(tuple(_row(row) for row in value))


def _row(value: Any) -> Text | Pair | Ids | SourceTarget | Picture:
    if isinstance(value, Text | Pair | Ids | SourceTarget | Picture):
        return value
    if not _is_series(value):
        raise ParameterError("inputs", value, N_("a text, a pair of texts, ids, or a list of such"))
    if isinstance(value, str):
        return Text(str(value))
    if _are_two_texts(value):
        return Pair(str(value[0]), str(value[1]))
    return Ids(tuple(_as_id(entry) for entry in value))


def _is_series(value: Any) -> bool:
    """Whether it has a first entry; a text has."""
    return isinstance(value, Sequence | Input) or getattr(value, "ndim", 0) > 0


def _are_two_texts(values: Sequence[Any]) -> bool:
    return len(values) == 2 and all(isinstance(value, str) for value in values)


def _as_id(value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ParameterError("id", value, N_("a whole number")) from None


def _as_it_is(prepared: Prepared) -> Prepared:
    return prepared


def _corner(attention: Attention, mask: Tensor) -> Under:
    """A mask for runs whose target may be shorter, since the model writes it: its first rows."""

    def under(prepared: Prepared) -> Prepared:
        n_queries, n_keys = prepared.masks[attention.name].shape[-2:]
        return prepared.under(attention, mask[:n_queries, :n_keys])

    return under


def _checked(mask: NDArray[np.bool_], model_mask: Tensor) -> Tensor:
    shape = tuple(model_mask.shape[-2:])
    if np.shape(mask) != shape:
        raise MaskError(np.shape(mask), shape)
    # A copy: the trace keeps it.
    return torch.from_numpy(np.array(mask, dtype=bool, order="C")).to(model_mask.device)
