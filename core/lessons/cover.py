"""Predict, then reveal: a figure of which nothing reaches the browser before the answer.

What is covered is left out, not hidden: labels and axes stay, numbers, readings, arithmetic and
text alternatives are not sent. A row that adds up to 1 is covered whole by naming it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Component, Map, Matrix, Scale, Sheet, Strip
from core.language import N_, _

COVERED = N_("Covered until you have answered.")


def covered(
    component: Component, rows: Sequence[int] | None = None, select: Collection[str] = ()
) -> Component | None:
    """A figure with what is covered left out.

    Args:
        component: the whole figure.
        rows: of a matrix, those that are covered; all when None.
        select: what the lesson itself selects in it, so that it may be seen.

    Returns:
        What can be shown; None where that is nothing but its place.
    """
    if isinstance(component, Matrix):
        return _matrix(component, rows, select)
    if isinstance(component, Strip) and rows is None and not component.coloured:
        return _strip(component)  # where chips are coloured, how a text is cut is what they show
    return None


def ahead(component: Component) -> Component | None:
    """A map whose way has not yet come to its last part; None for a figure that has no way."""
    return component.ahead() if isinstance(component, Map) else None


def up_to_now(component: Component) -> Component:
    """A matrix whose arithmetic ends with the step that is shown: what comes next comes next."""
    if not isinstance(component, Matrix):
        return component
    return dataclasses.replace(component, sheets=[_until_now(one) for one in component.sheets])


def _until_now(sheet: Sheet) -> Sheet:
    steps = () if sheet.how is None else sheet.how.steps or ()
    marked = [n for n, step in enumerate(steps) if step.now]
    if sheet.how is None or not marked:
        return sheet
    how = dataclasses.replace(sheet.how, steps=steps[: marked[-1] + 1])
    return dataclasses.replace(sheet, how=how)


def _matrix(whole: Matrix, rows: Sequence[int] | None, select: Collection[str]) -> Matrix | None:
    """The sheet that is shown, alone: its labels, and the numbers of the rows that are open."""
    sheet = whole.shown
    array = np.asarray(whole.arrays[sheet.array])
    if array.ndim != 2 or array.dtype.kind != "f":
        return None
    shown = np.full(array.shape, np.nan, np.float32)
    closed = set(range(len(array)) if rows is None else (int(n) for n in rows))
    for n in set(range(len(array))) - closed:
        shown[n] = array[n]
    arrays: dict[str, NDArray[Any]] = {sheet.array: shown}
    if sheet.mask is not None and rows is not None:  # what is masked in the open rows
        arrays[sheet.mask] = np.array(whole.arrays[sheet.mask])
        arrays[sheet.mask][sorted(closed)] = 1
    return Matrix(
        title=whole.title,
        alt=_(COVERED),
        selection={name: whole.selection[name] for name in select if name in whole.selection},
        sheets=[_plain(sheet, shown, mask=sheet.mask if sheet.mask in arrays else None)],
        arrays=arrays,
    )


def _plain(sheet: Sheet, shown: NDArray[np.float32], mask: str | None) -> Sheet:
    """A sheet without arithmetic, whose colours only the open numbers set."""
    seen = np.abs(shown[np.isfinite(shown)])
    limit = float(seen.max(initial=0.0)) or 1.0
    each = None if sheet.scale.limits is None else [limit] * len(shown)
    scale = Scale(sheet.scale.kind, None if sheet.scale.limit is None else limit, each)
    return dataclasses.replace(
        sheet, scale=scale, how=None, texts=None, counts=None, source=None, mask=mask, paint=None,
        tab=None, grows=None, alt=_(COVERED), axes=None if mask is None else sheet.axes,
    )  # fmt: skip


def _strip(whole: Strip) -> Strip:
    """The chips alone, those that are there: not what is yet to be made."""
    n = len(whole.tokens) if whole.reveal is None else whole.reveal.n(whole.selection, whole)
    return Strip(
        title=whole.title, alt=_(COVERED), tokens=whole.tokens[:n], field=whole.field, still=True,
        name=whole.name, cut=whole.cut,
    )  # fmt: skip
