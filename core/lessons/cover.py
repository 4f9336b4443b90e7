"""Predict, then reveal: a figure of which nothing reaches the browser before the answer.

What is covered is left out, not hidden: labels and axes stay, numbers, readings, arithmetic and
text alternatives are not sent. A row that adds up to 1 is covered whole by naming it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components import (
    Arcs,
    Axis,
    BarFrame,
    BarRow,
    Bars,
    Chip,
    Component,
    HeadGrid,
    Ladder,
    Map,
    Matrix,
    Plot,
    Scale,
    Sheet,
    Strip,
)
from core.figures.components.ladder import Rung, WordLadder
from core.figures.components.plot.parts import Curve, Panel, PlotAxis, Series, Words
from core.figures.text import sentence
from core.language import N_, _
from core.lessons.expressions import evaluate
from core.lessons.schema import Question
from core.lessons.world import Shown

COVERED = N_("Covered until you have answered.")
PLOT, PANEL = 340, 120  # pixels of a covered plot, whose own height may say how much is on it


def before_answer(
    one: Shown, names: Mapping[str, Any], question: Question | None = None
) -> Component | None:
    """What may be seen of a step's figure before the answer; None for its place alone.

    Args:
        one: the figure with its run.
        names: of the question that was posed.
        question: which may be answered by picking in it; where any cell may be the answer none is
            selected.

    Raises:
        ExpressionError: the lesson says something that is not there.
    """
    figure, whole = one.figure, up_to_now(one.component(names))
    if not figure.cover:
        return whole
    if figure.cover == "place":
        return None
    if figure.cover == "ahead":
        return whole.ahead() if isinstance(whole, Map) else None
    found = None if figure.rows is None else np.atleast_1d(evaluate(figure.rows, names))
    rows = None if found is None else [int(n) for n in found]
    cells = question is not None and question.figure == figure.name and question.kind == "cells"
    anywhere = cells and question is not None and question.row is None
    return covered(whole, rows, () if anywhere else figure.select)


def covered(
    component: Component,
    rows: Sequence[int] | None = None,
    select: Collection[str] = (),
) -> Component | None:
    """A figure with what is covered left out.

    Args:
        component: the whole figure.
        rows: of a matrix, those that are covered; all when None.
        select: what the lesson itself selects in it, so that it may be seen.

    Returns:
        What can be shown; None where that is nothing but its place.
    """
    chosen = {name: component.selection[name] for name in select if name in component.selection}
    match component:
        case Matrix():
            return _matrix(component, rows, chosen)
        case Strip() if not component.coloured:  # else how a text is cut is what the chips show
            return _strip(component, chosen)
        case Bars() if component.given:
            return _bars(component, chosen)
        case Plot():
            return _plot(component)
        case HeadGrid():
            return _heads(component)
        case Ladder():
            return _ladder(component)
        case Arcs():
            return dataclasses.replace(
                component, weights=np.zeros_like(component.weights), alt=_(COVERED), note="",
                selection={"token": 0, **chosen}, heads="", every=False,
            )  # fmt: skip
    return None


def up_to_now(component: Component) -> Component:
    """A figure that ends with the step that is shown: what comes next comes next.

    A matrix ends its arithmetic there, bars their stages, with what is said of the last one.
    """
    if isinstance(component, Bars) and component.stage < len(component.stages) - 1:
        n = component.stage + 1
        return dataclasses.replace(
            component, stages=component.stages[:n], values=component.values[:, :n],
            frames=[dataclasses.replace(one, note=None) for one in component.frames],
        )  # fmt: skip
    if not isinstance(component, Matrix):
        return component
    return dataclasses.replace(
        component,
        sheets=[_until_now(one) for one in component.sheets],
        selection={**component.selection, **component.follows},  # what goes with a token stays so
    )


def _until_now(sheet: Sheet) -> Sheet:
    steps = () if sheet.how is None else sheet.how.steps or ()
    marked = [n for n, step in enumerate(steps) if step.now]
    if sheet.how is None or not marked:
        return sheet
    how = dataclasses.replace(sheet.how, steps=steps[: marked[-1] + 1])
    return dataclasses.replace(sheet, how=how)


def _matrix(whole: Matrix, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Matrix | None:
    """The sheet that is shown, alone: its labels, and the numbers of the rows that are open."""
    sheet = whole.shown
    array = np.asarray(whole.arrays[sheet.array])
    if array.ndim != 2 or (sheet.rows.found and sheet.cols.found):
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
        selection=chosen,
        sheets=[_plain(sheet, shown, mask=sheet.mask if sheet.mask in arrays else None)],
        arrays=arrays,
    )


def _plain(sheet: Sheet, shown: NDArray[np.float32], mask: str | None) -> Sheet:
    """A sheet without arithmetic, whose colours only the open numbers set."""
    seen = np.abs(shown[np.isfinite(shown)])
    limit = float(seen.max(initial=0.0)) or 1.0
    each = None if sheet.scale.limits is None else [limit] * len(shown)
    # What categories are called says what may be found; without them a cell is a number.
    named = sheet.categories if len(seen) else None
    kind = sheet.scale.kind if named or sheet.categories is None else "weight"
    scale = Scale(kind, None if sheet.scale.limit is None else limit, each)
    return dataclasses.replace(
        sheet, scale=scale, how=None, texts=None, counts=None, source=None, mask=mask, paint=None,
        tab=None, grows=None, alt=_(COVERED), axes=None if mask is None else sheet.axes,
        categories=named, rows=_axis(sheet.rows), cols=_axis(sheet.cols),
    )  # fmt: skip


def _axis(axis: Axis) -> Axis:
    """An axis whose labels are no result."""
    if not axis.found:
        return axis
    return dataclasses.replace(axis, labels=["?"] * len(axis.labels), ids=None, of=None)


def _strip(whole: Strip, chosen: Mapping[str, Any]) -> Strip:
    """The chips alone, those that are there; what pointing at one says may be what is asked."""
    n = len(whole.tokens) if whole.reveal is None else whole.reveal.n(whole.selection, whole)
    chips = whole.given or whole.tokens[:n]
    return Strip(
        title=whole.title, alt=_(COVERED), selection=chosen, field=whole.field, still=True,
        name=whole.name, cut=whole.cut,
        tokens=[Chip(one.label, one.kind, title="", word=one.word) for one in chips],
    )  # fmt: skip


def _bars(whole: Bars, chosen: Mapping[str, Any]) -> Bars:
    """What the bars stand for, without a bar."""
    rows = [BarRow(row.id, row.label) for row in whole.frames[whole.at].rows]
    n = 1 if whole.series is None else len(whole.series)
    return Bars(
        title=whole.title, alt=_(COVERED), selection=chosen,
        frames=[BarFrame(rows, title=sentence("{title}", title=whole.title))],
        values=np.full((1, n, len(rows)), np.nan), series=whole.series, mirror=whole.mirror,
        full_scale=True, wide=whole.wide, stacked=whole.stacked, unit=whole.unit,
    )  # fmt: skip


def _plot(whole: Plot) -> Plot:
    """The axes by name, and what would be drawn over them: no number, no point, no place."""
    return Plot(
        title=whole.title, alt=_(COVERED), x=_empty(whole.x), y=_empty(whole.y),
        series=_legend(whole.series), legend=whole.legend, fixed=True,
        height=PLOT + PANEL * len(whole.below), words=[Words(x=0.5, y=0.5, text="?")],
        below=[Panel(y=_empty(one.y), series=_legend(one.series), share=one.share)
               for one in whole.below],
    )  # fmt: skip


def _empty(axis: PlotAxis) -> PlotAxis:
    """What an axis measures; where it begins and ends would say how large the numbers are."""
    return PlotAxis(title=axis.title, range=(0, 1), ticks=(), labels=(), grid=False)


def _legend(several: Sequence[Series]) -> list[Series]:
    """The curves by name; a point may be called after what was found there."""
    return [
        dataclasses.replace(one, y=[np.nan], x=[np.nan], markers=0, hover="", text=None)
        for one in several
        if isinstance(one, Curve)
    ]


def _heads(whole: HeadGrid) -> HeadGrid:
    """A square for each head, with nothing in it; one of them is the page's, whatever it shows."""
    layers, heads = whole.maps.shape[:2]
    own = {name: whole.selection.get(name) for name in ("layer", "head")}
    return HeadGrid(
        title=whole.title, alt=_(COVERED), selection=own, scores=(),
        maps=np.zeros((layers, heads, 1, 1), np.uint8), names=[[""] * heads] * layers,
        rows=whole.rows, columns=whole.columns,
    )  # fmt: skip


def _ladder(whole: Ladder) -> Ladder:
    """The bytes of the word that is shown: what is joined, and when, is what is asked."""
    word = whole.shown
    first = word.rows[0].symbols
    rung = Rung(first, [None] * (len(first) - 1), None)
    return Ladder(
        title=whole.title, alt=_(COVERED), pieces={one: whole.pieces[one] for one in first},
        ladders=[WordLadder(word.title, _(COVERED), "", word.bytes, [rung])], of=[0], first=0,
    )  # fmt: skip
