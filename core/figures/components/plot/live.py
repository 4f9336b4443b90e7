"""A plot for a file that answers: its drawing for two widths, and what each point says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import hover, picture
from core.figures.components.plot.arrays import Floats, names_at
from core.figures.components.plot.hover import FORMS
from core.figures.components.plot.parts import Heat, PlotAxis, Series
from core.figures.components.plot.space import places
from core.figures.payload import Payload

if TYPE_CHECKING:
    from core.figures.components.plot.plot import Plot

WIDTHS = (640, 360)  # pixels: of a column of text, and of a phone


def payload(plot: Plot) -> Payload:
    """What the browser is given.

    The header has ``series`` (their numbers, and the template of what they say in parts: words, or
    a field and its form) and ``layouts``, a drawing for each width whose pieces are
    ``[tag, attributes, words]``; ``marks`` and ``cells`` name a series. Arrays: ``at.L.S``, where
    in layout L the points or bars of series S lie; ``rows.L.S`` and ``columns.L.S``, the row and
    column of a heat at each pixel; ``z.S`` and ``custom.S``, its numbers.
    """
    arrays: dict[str, NDArray[Any]] = {}
    layouts = []
    for n, width in enumerate(WIDTHS):
        scene = picture.draw(plot, width)
        boxes = {str(index): cells.box for index, cells in scene.cells.items()}
        layouts.append(
            {"width": scene.width, "height": scene.height, "pieces": scene.data(),
             "panels": scene.panels, "cells": boxes}
        )  # fmt: skip
        for index, points in scene.points.items():
            arrays[f"at.{n}.{index}"] = points.astype(np.float32)
        for index, cells in scene.cells.items():
            arrays[f"rows.{n}.{index}"] = cells.rows
            arrays[f"columns.{n}.{index}"] = cells.columns
    for index, series in enumerate(plot.all):
        if isinstance(series, Heat):
            arrays[f"z.{index}"] = np.asarray(series.z, np.float32)
            if series.custom is not None:
                arrays[f"custom.{index}"] = np.asarray(series.custom, np.float32)
    whole = FORMS["whole" if plot.space.x.whole else "real"]
    return Payload(
        plot.header(
            title=plot.title,
            alt=plot.alt,
            unified=plot.unified or None,
            head=[plot.x.title + " ", ["x", "" if plot.x.categories is not None else whole]],
            series=[_series(plot, series) for series in plot.all],
            layouts=layouts,
        ),
        arrays,
    )


def _series(plot: Plot, series: Series) -> dict[str, Any]:
    """A series without its looks."""
    x, y = places(series)
    fields: dict[str, Any] = {
        "name": series.name,
        "hover": [
            part if isinstance(part, str) else list(part)
            for part in hover.parts(series.hover, plot.kinds(series))
        ],
        "x": _as_json(x, plot.x),
        "y": _as_json(y, plot.axis_of(series)),
        "panel": plot.panel_of(series),
    }
    if series.text is not None:
        fields["text"] = list(series.text)
    if isinstance(series, Heat):
        fields["low"], fields["high"] = series.low, series.top
        fields["colours"] = list(series.colours)
    return fields


def _as_json(values: Floats, axis: PlotAxis) -> list[str] | list[float | None]:
    """Numbers, or the categories that they stand for."""
    if axis.categories is not None:
        return names_at(axis.categories, values)
    return [None if np.isnan(value) else value for value in values.tolist()]
