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
        svg.head_grid(NASTY, np.full((1, 2, 3, 3), 0.5), mode, alt=NASTY),
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


def test_a_grid_has_a_square_a_head_and_its_strongest_cells():
    maps = np.zeros((2, 3, 4, 4))
    maps[1, 2, 3, 0] = 1.0
    root = parsed(svg.head_grid("t", maps, "light", alt="x"))
    assert fills(root).count(LIGHT.surface) == 6
    assert fills(root).count(LIGHT.weight) == 1


def test_chips_break_into_lines():
    root = parsed(svg.chips("t", ["word"] * 100, ["x"] * 100, [0.0] * 100, "light", alt="x"))
    xs = [float(e.attrib["x"]) for e in list(root.iter(f"{SPACE}rect"))[1:]]
    assert max(xs) < 900
    assert xs.count(8.0) > 1
