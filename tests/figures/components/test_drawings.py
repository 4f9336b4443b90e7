"""Drawings for handouts: well-formed whatever was typed, and true to the numbers."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures import drawing
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
from core.figures.components.matrix.drawing import SHADES
from core.figures.theme import LIGHT

NASTY = "<script>alert(1)</script> & ' \" ]]> &amp; \u2028"
SPACE = "{http://www.w3.org/2000/svg}"


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(e.itertext()) for e in root.iter(f"{SPACE}text")]


def fills(root: ElementTree.Element) -> list[str]:
    return [e.attrib["fill"] for e in root.iter(f"{SPACE}rect")][1:]  # the first is the page


def matrix(values, rows, cols, *, title="t", kind="weight", limit=1.0, arrays=None, **of_sheet):
    sheet = Sheet(
        title=title, array="values", rows=Axis(rows, "row", "query"),
        cols=Axis(cols, "col", "key"), scale=Scale(kind, limit), **of_sheet,
    )  # fmt: skip
    made = {"values": np.asarray(values), **(arrays or {})}
    return Matrix(title=title, alt=title, sheets=[sheet], arrays=made)


def bars(labels, values, *, title="t", **more):
    rows = [BarRow(id=str(n), label=label) for n, label in enumerate(labels)]
    return Bars(title=title, alt=title, frames=[BarFrame(rows)], values=np.array([values]), **more)


def arcs(labels, weights, *, title="t", **more):
    weights = np.asarray(weights, np.float32)
    return Arcs(title=title, alt=title, queries=labels, keys=labels, weights=weights, **more)


def strip(labels, *, title="t", **more):
    chips = [Chip(label, "word", label) for label in labels]
    return Strip(title=title, alt=title, tokens=chips, **more)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_was_typed_is_text_in_every_drawing(mode):
    square = np.full((2, 2), 0.5)
    pair = [NASTY, "b"]
    drawings = [
        bars([NASTY], [[0.5]], title=NASTY, note=NASTY),
        bars([NASTY], [[0.5], [0.2]], title=NASTY, series=[Series(NASTY), Series("b")],
             mirror=True),
        strip([NASTY], title=NASTY, notes=[NASTY], cut=NASTY),
        matrix(square, pair, pair, title=NASTY, texts=[[NASTY, "b"]] * 2),
        matrix(np.zeros((2, 2)), pair, pair, title=NASTY,
               categories=[Category(NASTY, "warning")]),
        HeadGrid(title=NASTY, alt=NASTY, maps=np.full((1, 2, 3, 3), 128, np.uint8), scores=[],
                 names=[["", ""]], rows=[NASTY], columns=[NASTY, NASTY]),
        arcs(pair, [[[0.5, 0.2], [0.1, 0.3]]], title=NASTY, note=NASTY),
    ]  # fmt: skip
    for one in drawings:
        root = parsed(one.drawing(mode))
        assert root.find(f"{SPACE}title").text == NASTY
        assert root.find(f"{SPACE}desc").text == NASTY
        assert NASTY in texts(root)
        assert not list(root.iter(f"{SPACE}script"))


def test_bars_are_as_long_as_their_values():
    root = parsed(bars("abc", [[0.5, 0.25, 0.0]]).drawing("light"))
    drawn = [e for e in root.iter(f"{SPACE}rect") if "fill-opacity" in e.attrib]
    assert [float(e.attrib["width"]) for e in drawn] == [150, 75, 1]  # of 300, which is 100 %
    assert {"50 %", "25 %", "0 %"} <= set(texts(root))


def test_no_bars_are_a_drawing_too():
    assert parsed(bars([], [[]]).drawing("light")) is not None


def of_cells(made):
    """The fills of a sheet's drawing, but those of the strip that says what they stand for."""
    return fills(parsed(made.drawing("light")))[:-SHADES]


def test_the_strip_of_a_sheet_says_what_its_colours_stand_for():
    signed = matrix([[-2.0, 0.0, 2.0]], "a", "bcd", kind="signed", limit=2.0).drawing("light")
    assert fills(parsed(signed))[-SHADES] == LIGHT.negative
    assert fills(parsed(signed))[-1] == LIGHT.positive
    assert {"−2.00", "0", "2.00"} <= set(texts(parsed(signed)))
    shares = matrix([[1.0, 0.3]], "a", "bc").drawing("light")
    assert {"0 %", "100 %"} <= set(texts(parsed(shares)))
    nothing = matrix([[np.nan, np.nan]], "a", "bc").drawing("light")
    assert "100 %" not in texts(parsed(nothing))  # covered


def test_masked_cells_are_hatched_and_the_strongest_has_the_full_colour():
    mask = np.array([[True, False], [True, True]])
    made = matrix([[1.0, 0.3], [0.5, 0.0]], "ab", "cd", mask="may", arrays={"may": mask})
    assert [fill for fill in of_cells(made) if fill != "none"][-4:] == [
        LIGHT.weight, "url(#h)", drawing.mix(LIGHT.surface, LIGHT.weight, 0.5), LIGHT.surface
    ]  # fmt: skip


def test_signed_numbers_are_blue_white_red():
    made = matrix([[-2.0, 0.0, 2.0]], "a", "bcd", kind="signed", limit=2.0)
    assert of_cells(made)[-3:] == [
        LIGHT.negative, LIGHT.zero, LIGHT.positive
    ]  # fmt: skip


def test_numbers_that_are_none_leave_the_drawing_whole():
    made = matrix([[np.nan, np.inf, -np.inf]], "a", "bcd", kind="signed")
    assert all(len(fill) == 7 for fill in fills(parsed(made.drawing("dark")))[-3:])


def test_of_a_large_matrix_the_window_is_drawn_that_holds_what_is_selected():
    labels = [str(i) for i in range(60)]
    made = matrix(np.zeros((60, 60)), labels, labels)
    root = parsed(made.drawing("light"))
    assert of_cells(made).count(LIGHT.surface) == 48 * 48
    assert "Drawn: rows 0 to 47 of 60, columns 0 to 47 of 60." in texts(root)
    sheets, arrays = made.sheets, made.arrays
    later = Matrix(title="t", alt="t", sheets=sheets, arrays=arrays, selection={"row": 55})
    assert "Drawn: rows 8 to 55 of 60, columns 0 to 47 of 60." in texts(
        parsed(later.drawing("light"))
    )


def test_a_grid_has_a_square_a_head_and_its_strongest_cells():
    maps = np.zeros((2, 3, 4, 4), np.uint8)
    maps[1, 2, 3, 0] = 255
    grid = HeadGrid(
        title="t",
        alt="t",
        maps=maps,
        scores=[],
        names=[[""] * 3] * 2,
        rows=["layer 0", "layer 1"],
        columns=["head 0", "head 1", "head 2"],
    )
    root = parsed(grid.drawing("light"))
    assert fills(root).count(LIGHT.surface) == 6
    assert [(e.attrib["fill"], e.attrib["d"]) for e in root.iter(f"{SPACE}path")] == [
        (LIGHT.weight, "M0 3h1v1h-1z")
    ]


def test_a_thumbnail_draws_neighbours_of_one_shade_at_once():
    values = np.array([[-1.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.5]])
    drawn = drawing.thumbnail(values, 10, 20, 40, 40, LIGHT, role="signed")
    root = parsed(f"<svg xmlns='http://www.w3.org/2000/svg'>{drawn}</svg>")
    found = {e.attrib["fill"]: e.attrib["d"] for e in root.iter(f"{SPACE}path")}
    assert found == {
        LIGHT.negative: "M0 0h2v1h-2z",
        LIGHT.positive: "M3 0h1v1h-1z",
        drawing.mix(LIGHT.zero, LIGHT.positive, 0.5): "M3 1h1v1h-1z",
    }


def test_categories_have_their_colours_and_are_named_where_they_occur():
    categories = [
        Category("hidden", "surface"),
        Category("allowed", "weight", 0.5),
        Category("looks ahead", "warning"),
    ]
    may = np.array([[True, True], [False, True]])
    made = matrix([[1, 2], [0, 1]], "ab", "cd", mask="may", arrays={"may": may},
                  categories=categories)  # fmt: skip
    root = parsed(made.drawing("light"))
    half = drawing.mix(LIGHT.surface, LIGHT.weight, 0.5)
    cells = [f for f in fills(root) if f in (half, LIGHT.warning, "url(#h)", LIGHT.surface)]
    assert [half, LIGHT.warning, "url(#h)", half] == [f for f in cells if f != LIGHT.surface][:4]
    assert {"allowed", "looks ahead"} <= set(texts(root))
    assert "hidden" not in texts(root)


def test_lines_are_as_thick_as_their_weights():
    made = arcs(["a", "b"], [[[0.0, 1.0], [0.5, 0.0]]], every=True)
    root = parsed(made.drawing("light"))
    drawn = [
        (e.attrib["stroke"], float(e.attrib["stroke-width"])) for e in root.iter(f"{SPACE}path")
    ]
    assert drawn == [(LIGHT.weight, 6.0), (LIGHT.weight, 3.3)]
    one = parsed(
        arcs(["a", "b"], [[[0.0, 1.0], [0.5, 0.0]]], selection={"token": 1}).drawing("light")
    )
    strong = [e for e in one.iter(f"{SPACE}text") if e.attrib.get("font-weight") == "700"]
    assert "".join(strong[0].itertext()) == "b"
    assert strong[0].attrib["fill"] == LIGHT.query


def test_chips_break_into_lines():
    root = parsed(strip(["word"] * 100).drawing("light"))
    xs = [float(e.attrib["x"]) for e in list(root.iter(f"{SPACE}rect"))[1:]]
    assert max(xs) < 900
    assert xs.count(8.0) > 1
