"""Edits put to work: what a run computes on with, in the place of what it had computed."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real

import torch
from torch import Tensor

from core.errors import EditError, quoted
from core.language import N_, Phrase
from core.locale import Numeral
from core.tracing.edits import Edit, OfSites, Shares
from core.tracing.sites import Site, recorded

Replace = Callable[[Tensor, int | None], Tensor]
TINY = 1e-30  # what nothing is divided by


def replacements(
    edits: Sequence[Edit], catalogue: Mapping[str, Site], lengths: Mapping[str, list[int]]
) -> Mapping[str, Replace]:
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
    parts_given = _Given()

    def chain(name: str, of_site: list[Edit]) -> Replace:
        site = catalogue.get(name)
        streams = [site.stream(axis) for axis in site.axes] if site else []

        def apply(values: Tensor, step: int | None) -> Tensor:
            # A table that all rows share becomes one a row.
            edited = values.expand(n_rows, *values.shape[1:]).clone()
            for row in range(n_rows):
                ends = [None if s is None else lengths[s][row] for s in streams]
                place = (slice(row, row + 1), *map(slice, ends if step is None else ends[1:]))
                for edit in of_site:
                    if isinstance(edit.value, OfSites):
                        edited[place] = parts_given.of(edit, place, edited[place])
                    elif step is None:
                        edited[place] = apply_edit(edit, edited[place])
                    elif ends[0] is not None and step < ends[0]:
                        edited[place] = _apply_at(edit, edited[place], step, ends[0])
            return edited

        return apply

    replacing = {name: chain(name, of_site) for name, of_site in by_site.items()}
    for name in {
        name for edit in edits if isinstance(edit.value, OfSites) for name in edit.value.sites
    }:
        replacing[name] = parts_given.keep_values(name, replacing.get(name))
    return replacing


class _Given:
    """What the sites of ``OfSites`` have given in this run, as far as it has come."""

    def __init__(self) -> None:
        self._values: dict[str, dict[int | None, Tensor]] = {}

    def keep_values(self, name: str, edited: Replace | None) -> Replace:
        """What is done to a site's values when they are kept."""

        def keep(values: Tensor, step: int | None) -> Tensor:
            result = values if edited is None else edited(values, step)
            self._values.setdefault(name, {})[step] = result
            return result

        return keep

    def of(self, edit: Edit, place: Sequence[slice], values: Tensor) -> Tensor:
        """The values of an edit's sites, of one row.

        Raises:
            EditError: one has not been computed yet, or they have another shape.
        """
        assert isinstance(edit.value, OfSites)
        for name in edit.value.sites:
            if name not in self._values:
                raise EditError(
                    edit.site, Phrase(N_("“{name}” is not computed before it"), name=name)
                )
        parts = [self._assembled(name) for name in edit.value.sites]
        joined = torch.cat([part[*place[: part.ndim - 1]] for part in parts], dim=-1)
        if joined.shape != values.shape:
            raise EditError(edit.site, N_("the sites have another shape"))
        return joined

    def _assembled(self, name: str) -> Tensor:
        steps = self._values[name]
        if None in steps:
            return steps[None]
        order = sorted(step for step in steps if step is not None)
        return torch.stack([steps[step] for step in order], dim=1)


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
        return _with(values, where, edit)
    edited = values.clone()
    edited[where] = values.mean(dim=-2, keepdim=True).expand_as(values)[where]
    return edited


def _with(values: Tensor, where: Sequence[slice | int], edit: Edit) -> Tensor:
    edited, value = values.clone(), edit.value
    if isinstance(value, tuple):
        edited[tuple(where)] = _shared(edit, value, edited[tuple(where)])
    else:
        edited[tuple(where)] = 0.0 if value == "zero" else float(value)  # type: ignore[arg-type]
    return edited


def _shared(edit: Edit, shares: Shares, rows: Tensor) -> Tensor:
    """Rows ``(..., N)`` in which some entries are set, and the others share what is left.

    An entry of exactly 0 is masked, and stays it. What is set adds up to 1 at most: more is scaled
    down, and nothing is left. Where the others are all 0, what is set is scaled to 1.
    """
    set_to = {_entry(edit, len(edit.index), key, rows.shape[-1]): share for key, share in shares}
    keys = list(set_to)
    fixed = rows.new_tensor(list(set_to.values())) * (rows[..., keys] > 0)
    others = rows.clone()
    others[..., keys] = 0.0
    rest = others.sum(-1, keepdim=True)
    share_left = (1.0 - fixed.sum(-1, keepdim=True)).clamp(min=0.0)
    shares_ = others * (share_left / rest.clamp(min=TINY))
    shares_[..., keys] = fixed
    total = shares_.sum(-1, keepdim=True)
    return torch.where(total > 0, shares_ / total.clamp(min=TINY), rows)


def _place(edit: Edit, shape: Sequence[int]) -> tuple[slice | int, ...]:
    """The index, with the batch's axis before it."""
    if not isinstance(edit.index, Sequence):
        raise EditError(edit.site, N_("the index must hold one entry an axis"))
    if len(edit.index) > len(shape) - 1:
        raise EditError(edit.site, Phrase(N_("the site has {n} axes"), n=len(shape) - 1))
    where: list[slice | int] = [slice(None)]
    for axis, entry in enumerate(edit.index):
        where.append(slice(None) if entry is None else _entry(edit, axis, entry, shape[axis + 1]))
    return tuple(where)


def _entry(edit: Edit, axis: int, entry: object, n: int) -> int:
    """An entry of the index, on an axis of ``n`` entries."""
    if isinstance(entry, bool) or not isinstance(entry, Integral):
        problem = N_("axis {axis} has index {value}; it must be a whole number, or None")
        raise EditError(edit.site, Phrase(problem, axis=axis, value=quoted(entry)))
    place = int(entry)
    if not -n <= place < n:
        raise EditError(edit.site, Phrase(N_("axis {axis} has {n} entries"), axis=axis, n=n))
    return place


def _check_value(edit: Edit, values: Tensor) -> None:
    value = edit.value
    if value == "mean" and values.ndim < 3:
        raise EditError(edit.site, N_("the site has no positions to take the mean over"))
    if value in ("zero", "mean"):
        return
    if isinstance(value, tuple):
        if not all(0.0 <= share <= 1.0 for _key, share in value):
            raise EditError(edit.site, N_("a share lies between 0 and 1"))
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not abs(value) < math.inf:
        problem = N_("{value} is not 'zero', 'mean' or a number")
        raise EditError(edit.site, Phrase(problem, value=quoted(value)))
    # A trace is float32, in whatever precision the model runs.
    largest = min(torch.finfo(kind).max for kind in (values.dtype, torch.float32))
    if abs(value) > largest:
        problem = N_("{value} is too large; the largest number here is {largest}")
        raise EditError(
            edit.site, Phrase(problem, value=quoted(value), largest=Numeral(f"{largest:.3g}"))
        )


def _apply_at(edit: Edit, values: Tensor, step: int, n_steps: int) -> Tensor:
    """One step of a recurrent layer, ``(B, ...)``; the site's first axis is time."""
    if edit.value == "mean":
        raise EditError(
            edit.site, N_("later positions are not computed yet, so there is no mean over them")
        )
    rows, *of_site = _place(edit, (len(values), n_steps, *values.shape[1:]))
    _check_value(edit, values)
    step_, rest = of_site[0] if of_site else slice(None), of_site[1:]
    if isinstance(step_, int) and step_ % n_steps != step:
        return values
    return _with(values, (rows, *rest), edit)
