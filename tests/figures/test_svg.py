"""Drawings for handouts: well-formed whatever was typed, and true to the numbers."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures import svg
from core.figures.theme import LIGHT

NASTY = "<script>alert(1)</script> & ' \" ]]> &amp; \u2028"
SPACE = "{http://www.w3.org/2000/svg}"


def parsed(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(e.itertext()) for e in root.iter(f"{SPACE}text")]


def fills(root: ElementTree.Element) -> list[str]:
    return [e.attrib["fill"] for e in root.iter(f"{SPACE}rect")][1:]  # the first is the page


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_what_was_typed_is_text_in_every_drawing(mode):
    square = np.full((2, 2), 0.5)
    drawings = [
        svg.bars(NASTY, [NASTY], [0.5], mode, alt=NASTY),
        svg.mirrored_bars(NASTY, [NASTY], [[0.5], [0.2]], [NASTY, "b"], mode, alt=NASTY),
        svg.chips(NASTY, [NASTY], [NASTY], [0.5], mode, alt=NASTY),
        svg.matrix(NASTY, [NASTY, "b"], [NASTY, "b"], square, mode, alt=NASTY, note=NASTY,
                   texts=[[NASTY, "b"]] * 2),
        svg.matrix(NASTY, [NASTY, "b"], [NASTY, "b"], np.zeros((2, 2)), mode, alt=NASTY,
                   categories=[{"label": NASTY, "role": "warning"}]),
        svg.head_grid(NASTY, np.full((1, 2, 3, 3), 0.5), mode, alt=NASTY),
        svg.arcs(NASTY, [NASTY, "b"], [(0, 1, 0.5, "weight")], mode, alt=NASTY,
                 names=[NASTY, "b"], legend=[(NASTY, "key")], note=NASTY),
    ]  # fmt: skip
    for drawing in drawings:
        root = parsed(drawing)
        assert root.find(f"{SPACE}title").text == NASTY
        assert root.find(f"{SPACE}desc").text == NASTY
        assert NASTY in texts(root)
        assert not list(root.iter(f"{SPACE}script"))


def test_bars_are_as_long_as_their_values():
    root = parsed(svg.bars("t", ["a", "b", "c"], [0.5, 0.25, 0.0], "light", alt="x"))
    widths = [float(e.attrib["width"]) for e in list(root.iter(f"{SPACE}rect"))[1:]]
    assert widths == [300, 150, 1]
    assert {"50 %", "25 %", "0 %"} <= set(texts(root))


def test_no_bars_are_a_drawing_too():
    assert parsed(svg.bars("t", [], [], "light", alt="x")) is not None


def test_masked_cells_are_hatched_and_the_strongest_has_the_full_colour():
    values = np.array([[1.0, 0.3], [0.5, 0.0]])
    mask = np.array([[True, False], [True, True]])
    root = parsed(svg.matrix("t", "ab", "cd", values, "light", alt="x", mask=mask))
    assert fills(root) == [
        LIGHT.weight, "url(#h)", svg.mix(LIGHT.surface, LIGHT.weight, 0.5), LIGHT.surface
    ]  # fmt: skip


def test_signed_numbers_are_blue_white_red():
    root = parsed(
        svg.matrix("t", "a", "bcd", np.array([[-2.0, 0.0, 2.0]]), "light", alt="x", role="signed",
                   limit=2.0)
    )  # fmt: skip
    assert fills(root) == [LIGHT.negative, LIGHT.zero, LIGHT.positive]


def test_numbers_that_are_none_leave_the_drawing_whole():
    values = np.array([[np.nan, np.inf, -np.inf]])
    root = parsed(svg.matrix("t", "a", "bcd", values, "dark", alt="x", role="signed"))
    assert all(len(fill) == 7 for fill in fills(root))


def test_a_large_matrix_is_cut_to_what_a_page_holds():
    labels = [str(i) for i in range(60)]
    root = parsed(svg.matrix("t", labels, labels, np.zeros((60, 60)), "light", alt="x"))
    assert len(fills(root)) == 48 * 48
    assert "The first 48 rows and columns are drawn." in texts(root)


def test_a_grid_has_a_square_a_head_and_its_strongest_cells():
    maps = np.zeros((2, 3, 4, 4))
    maps[1, 2, 3, 0] = 1.0
    root = parsed(svg.head_grid("t", maps, "light", alt="x"))
    assert fills(root).count(LIGHT.surface) == 6
    assert [(e.attrib["fill"], e.attrib["d"]) for e in root.iter(f"{SPACE}path")] == [
        (LIGHT.weight, "M0 3h1v1h-1z")
    ]


def test_a_thumbnail_draws_neighbours_of_one_shade_at_once():
    values = np.array([[-1.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.5]])
    drawn = svg.thumbnail(values, 10, 20, 40, 40, LIGHT, role="signed")
    root = parsed(f"<svg xmlns='http://www.w3.org/2000/svg'>{drawn}</svg>")
    found = {e.attrib["fill"]: e.attrib["d"] for e in root.iter(f"{SPACE}path")}
    assert found == {
        LIGHT.negative: "M0 0h2v1h-2z",
        LIGHT.positive: "M3 0h1v1h-1z",
        svg.mix(LIGHT.zero, LIGHT.positive, 0.5): "M3 1h1v1h-1z",
    }


def test_categories_have_their_colours_and_are_named_where_they_occur():
    categories = [
        {"label": "hidden", "role": "surface"},
        {"label": "may look", "role": "weight", "share": 0.5},
        {"label": "looks ahead", "role": "warning"},
    ]
    values, mask = np.array([[1, 2], [0, 1]]), np.array([[True, True], [False, True]])
    root = parsed(
        svg.matrix("t", "ab", "cd", values, "light", alt="x", mask=mask, categories=categories)
    )
    half = svg.mix(LIGHT.surface, LIGHT.weight, 0.5)
    assert fills(root)[:4] == [half, LIGHT.warning, "url(#h)", half]
    assert {"may look", "looks ahead"} <= set(texts(root))
    assert "hidden" not in texts(root)


def test_lines_are_as_thick_as_their_weights():
    lines = [(0, 1, 1.0, "weight"), (1, 0, 0.5, "key")]
    root = parsed(svg.arcs("t", ["a", "b"], lines, "light", alt="x", names=["q", "k"], strong=1))
    drawn = [
        (e.attrib["stroke"], float(e.attrib["stroke-width"])) for e in root.iter(f"{SPACE}path")
    ]
    assert drawn == [(LIGHT.weight, 6.0), (LIGHT.key, 3.3)]
    strong = [e for e in root.iter(f"{SPACE}text") if e.attrib.get("font-weight") == "700"]
    assert ["".join(e.itertext()) for e in strong] == ["b"]
    assert strong[0].attrib["fill"] == LIGHT.query


def test_chips_break_into_lines():
    root = parsed(svg.chips("t", ["word"] * 100, ["x"] * 100, [0.0] * 100, "light", alt="x"))
    xs = [float(e.attrib["x"]) for e in list(root.iter(f"{SPACE}rect"))[1:]]
    assert max(xs) < 900
    assert xs.count(8.0) > 1
