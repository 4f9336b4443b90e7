"""Predict, then reveal: a figure of which nothing reaches the browser before the answer.

What is covered is left out, not hidden: labels and axes stay, numbers, readings, arithmetic and
text alternatives are not sent. A row that adds up to 1 is covered whole by naming it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.figures.components import Component
from core.lessons.expressions import places_of
from core.lessons.schema import Question
from core.lessons.world import ShownFigure


def before_answer(
    shown: ShownFigure, names: Mapping[str, Any], question: Question | None = None
) -> Component | None:
    """What may be seen of a step's figure before the answer; None for its place alone.

    Args:
        shown: the figure with its run.
        names: of the question that was posed.
        question: which may be answered by picking in it; where any cell may be the answer none is
            selected.

    Raises:
        ExpressionError: the lesson says something that is not there.
    """
    figure = shown.figure
    if figure.cover == "place":
        return None
    if figure.cover == "ahead":
        before = dataclasses.replace(shown.params, reached=shown.params.reached - 1)
        return shown.view.show(shown.computed(before))
    component = shown.component(names).up_to_now()
    if not figure.cover:
        return component
    rows = None if figure.rows is None else places_of(figure.rows, names)
    cells = question is not None and question.figure == figure.name and question.kind == "cells"
    anywhere = cells and question is not None and question.row is None
    return covered(component, rows, () if anywhere else figure.select)


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
    return component.covered(rows, chosen)
