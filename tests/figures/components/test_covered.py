"""What is covered is left out of a drawing, too: no bar, no cell, no line, no number of it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures.components import (
    Arcs,
    Axis,
    BarFrame,
    BarRow,
    Bars,
    Category,
    Chip,
    HeadGrid,
    Matrix,
    Scale,
    Series,
    Sheet,
    Strip,
)
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.theme import PALETTES

SPACE = "{http://www.w3.org/2000/svg}"
DATA = (
    "weight",
    "positive",
    "negative",
    "residual",
    "accent",
)  # of numbers


def bars(values, **more) -> Bars:
    rows = [BarRow(str(n), f"word {n}", "weight") for n in range(2)]
    return Bars(title="t", alt="t", frames=[BarFrame(rows)], values=np.array([values]),
                given=True, **more)  # fmt: skip


def matrix(**more) -> Matrix:
    ends = Axis(["a", "b"], "row", "query"), Axis(["c", "d"], "col", "key")
    scale = more.pop("scale", Scale("weight", 1.0))
    sheet = Sheet(title="t", array="v", rows=ends[0], cols=ends[1], scale=scale, **more)
    values = np.array([[1, 0], [1, 1]], np.float32)
    return Matrix(title="t", alt="t", sheets=[sheet], arrays={"v": values})


def strip() -> Strip:
    return Strip(title="t", alt="t", tokens=[Chip("a", "word", "a")], heat=np.array([0.9]),
                 heat_unit="share")  # fmt: skip


PAIR = [Series("one", "residual"), Series("two", "weight")]
KINDS = {
    "bars": bars([[0.9, 0.1]]),
    "counts": bars([[90.0, 10.0]], unit="count"),
    "numbers": bars([[0.9, 0.1]], unit="number"),
    "stages": bars([[0.9, 0.1], [1.0, 0.0]], stages=["first", "then"], cut_word="cut"),
    "stacked": bars([[0.9, 0.1]], stacked=True),
    "several": bars([[0.9, 0.1], [0.5, 0.5]], series=PAIR),
    "mirror": bars([[0.9, 0.1], [0.5, 0.5]], series=PAIR, mirror=True),
    "matrix": matrix(numbers=True),
    "signed": matrix(scale=Scale("signed", 1.0)),
    "cells as bars": matrix(glyph="bars", numbers=True, max_cell=60),
    "categories": matrix(categories=[Category("no", "residual"), Category("yes", "weight")]),
    "strip": strip(),
    "arcs": Arcs(title="t", alt="t", queries="ab", keys="ab",
                 weights=np.full((1, 2, 2), 0.5, np.float32), every=True),
    "heads": HeadGrid(title="t", alt="t", maps=np.full((1, 1, 2, 2), 255, np.uint8), scores=[],
                      names=[[""]], rows=["layer 0"], columns=["head 0"]),
    "plot": Plot(title="t", alt="t", x=PlotAxis(title="x"), y=PlotAxis(title="y"),
                 series=[Curve(y=[1, 2], role="weight")], legend="none"),
}  # fmt: skip


def drawn(svg: str, colours: set[str]) -> int:
    """How many shapes have a colour of numbers."""
    found = [
        one for one in ElementTree.fromstring(svg).iter()
        if one.tag != f"{SPACE}text" and {one.get("fill"), one.get("stroke")} & colours
    ]  # fmt: skip
    return len(found)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_covered_drawing_has_no_shape_of_a_number(kind, mode):
    whole, colours = KINDS[kind], {getattr(PALETTES[mode], role) for role in DATA}
    covered = whole.covered(None, {})
    assert covered is not None
    legend = len(PAIR) if kind == "several" else 0
    svg = covered.drawing(mode)
    assert drawn(svg, colours) == legend
    # Of heads and chips the colour of a full number is mixed, or in a picture; so are some bars.
    assert svg != whole.drawing(mode)
    assert not re.search(r"\bnan\b|\binf\b", svg, re.IGNORECASE)


def test_open_rows_of_a_covered_sheet_of_categories_are_drawn():
    covered = KINDS["categories"].covered([1], {})
    colours = {PALETTES["light"].weight, PALETTES["light"].residual}
    # The open row, and what its colours are called.
    assert drawn(covered.drawing("light"), colours) == 2 + 2
