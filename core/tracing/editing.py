"""Edits put to work: what a run computes on with, in the place of what it had computed."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Literal

import torch
from torch import Tensor

from core.errors import EditError, shown
from core.language import N_, Phrase
from core.locale import Numeral
from core.tracing.edits import Edit
from core.tracing.sites import Site, recorded


def replacements(
    edits: Sequence[Edit], catalogue: Mapping[str, Site], lengths: Mapping[str, list[int]]
) -> Mapping[str, Callable[[Tensor, int | None], Tensor]]:
    """For each edited site, what is done to its values: to each row as if it ran alone.

    Args:
        edits: to be done.
        catalogue: of the model.
        lengths: of every row of each stream, without its padding.
    """
    by_site: dict[str, list[Edit]] = {}
    for edit in edits:
        for name in fnmatch.filter(recorded(catalogue), edit.site) or [edit.site]:
            by_site.setdefault(name, []).append(edit)
    n_rows = len(next(iter(lengths.values())))

    def chain(name: str, of_site: list[Edit]) -> Callable[[Tensor, int | None], Tensor]:
        site = catalogue.get(name)
        streams = [site.stream(axis) for axis in site.axes] if site else []

        def apply(values: Tensor, step: int | None) -> Tensor:
            # A table that all rows share becomes one a row.
            edited = values.expand(n_rows, *values.shape[1:]).clone()
            for row in range(n_rows):
                ends = [None if s is None else lengths[s][row] for s in streams]
                own = (slice(row, row + 1), *map(slice, ends if step is None else ends[1:]))
                for edit in of_site:
                    if step is None:
                        edited[own] = apply_edit(edit, edited[own])
                    elif ends[0] is not None and step < ends[0]:
                        edited[own] = _apply_at(edit, edited[own], step, ends[0])
            return edited

        return apply

    return {name: chain(name, of_site) for name, of_site in by_site.items()}


def apply_edit(edit: Edit, values: Tensor) -> Tensor:
    """The tensor ``(B, ...)`` with a part replaced; the input is left as it is.

    Args:
        edit: which part, by what.
        values: the tensor.

    Raises:
        EditError: the index or the value does not fit the tensor.
    """
    where = _place(edit, values.shape)
    _check_value(edit, values)
    if edit.value != "mean":
        return _with(values, where, edit.value)
    edited = values.clone()
    edited[where] = values.mean(dim=-2, keepdim=True).expand_as(values)[where]
    return edited


def _with(values: Tensor, where: Sequence[slice | int], value: Literal["zero"] | float) -> Tensor:
    edited = values.clone()
    edited[tuple(where)] = 0.0 if value == "zero" else float(value)
    return edited


def _place(edit: Edit, shape: Sequence[int]) -> tuple[slice | int, ...]:
    """The index, with the batch's axis before it."""
    if not isinstance(edit.index, Sequence):
        raise EditError(edit.site, N_("the index must hold one entry an axis"))
    if len(edit.index) > len(shape) - 1:
        raise EditError(edit.site, Phrase(N_("the site has {n} axes"), n=len(shape) - 1))
    where: list[slice | int] = [slice(None)]
    for axis, at in enumerate(edit.index):
        where.append(slice(None) if at is None else _entry(edit, axis, at, shape[axis + 1]))
    return tuple(where)


def _entry(edit: Edit, axis: int, at: object, n: int) -> int:
    """An entry of the index, on an axis of ``n`` entries."""
    if isinstance(at, bool) or not isinstance(at, Integral):
        problem = N_("axis {axis} has index {value}; it must be a whole number, or None")
        raise EditError(edit.site, Phrase(problem, axis=axis, value=shown(at)))
    place = int(at)
    if not -n <= place < n:
        raise EditError(edit.site, Phrase(N_("axis {axis} has {n} entries"), axis=axis, n=n))
    return place


def _check_value(edit: Edit, values: Tensor) -> None:
    value = edit.value
    if value == "mean" and values.ndim < 3:
        raise EditError(edit.site, N_("the site has no positions to take the mean over"))
    if value in ("zero", "mean"):
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not abs(value) < math.inf:
        problem = N_("{value} is not 'zero', 'mean' or a number")
        raise EditError(edit.site, Phrase(problem, value=shown(value)))
    # A trace is float32, in whatever precision the model runs.
    largest = min(torch.finfo(kind).max for kind in (values.dtype, torch.float32))
    if abs(value) > largest:
        problem = N_("{value} is too large; the largest number here is {largest}")
        raise EditError(
            edit.site, Phrase(problem, value=shown(value), largest=Numeral(f"{largest:.3g}"))
        )


def _apply_at(edit: Edit, values: Tensor, step: int, n_steps: int) -> Tensor:
    """One step of a recurrent layer, ``(B, ...)``; the site's first axis is time."""
    if edit.value == "mean":
        raise EditError(
            edit.site, N_("later positions are not computed yet, so there is no mean over them")
        )
    rows, *of_site = _place(edit, (len(values), n_steps, *values.shape[1:]))
    _check_value(edit, values)
    at, rest = of_site[0] if of_site else slice(None), of_site[1:]
    if isinstance(at, int) and at % n_steps != step:
        return values
    return _with(values, (rows, *rest), edit.value)
