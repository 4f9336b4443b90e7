"""What is pointed at, on all components at once: nothing is, when the pointer is elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.figures.payload import Payload
from tests.browser.components.conftest import stepper
from tests.browser.components.test_matrix import cell, matrix, sheet
from tests.browser.components.test_token_strip import strip

GONE = 1300  # ms after which a component that is not called again has left the page
ELSEWHERE = (700, 700)


def pointed(bare) -> dict[str, Any]:
    """What all components take to be pointed at."""
    hover = bare.page.evaluate("() => window.__glassformer.hover")
    return {name: value for name, value in hover.items() if value is not None}


def lines(n: int = 4) -> Payload:
    weights = np.full((1, n, n), 200, np.uint8)
    labels = {"queries": "queries", "keys": "keys", "head": "head", "every": "all queries"}
    return Payload(
        {"tokens": list("abcdefgh"[:n]), "labels": labels, "least": {"all": 0.1, "one": 0.1},
         "title": "Lines", "alt": "lines", "note": ""},
        {"weights": weights},
    )  # fmt: skip


SHOWN = {
    "token_strip": (lambda: strip(), ".chip >> nth=3", {"token": 3}),
    "arcs": (lambda: lines(), "text.word[role=button] >> nth=2", {"token": 2}),
}


@pytest.mark.parametrize("component", SHOWN)
def test_a_new_run_keeps_what_is_pointed_at_until_it_leaves_the_page(bare, component):
    payload, where, expected = SHOWN[component]
    one = bare.show(component, payload(), key="one")
    one.locator(where).hover()
    bare.show(component, payload(), key="one")
    bare.pass_time(GONE)
    assert pointed(bare) == expected
    bare.remove("one")
    bare.pass_time(GONE)
    assert one.count() == 0
    assert pointed(bare) == {}


def test_a_strip_follows_the_selection_again_when_the_other_has_left(bare):
    two = bare.show("token_strip", strip(selection={"token": 0}), key="two")
    bare.show("token_strip", strip(selection={"token": 0}), key="one")
    chosen = two.locator('[aria-selected="true"] .label')
    bare.page.locator("#one .chip").nth(3).hover()
    assert chosen.all_inner_texts() == ["d"]
    bare.remove("one")
    bare.pass_time(GONE)
    assert chosen.all_inner_texts() == ["a"]


def test_what_left_takes_nothing_from_what_is_pointed_at_since(bare):
    bare.show("token_strip", strip(), key="one")
    two = bare.show("token_strip", strip(), key="two")
    bare.page.locator("#one .chip").nth(3).hover()
    bare.remove("one")
    two.locator(".chip").nth(1).hover()
    bare.pass_time(GONE - 700)
    box = two.locator(".chip").nth(1).bounding_box()
    bare.page.mouse.move(box["x"] + 3, box["y"] + 3)  # it has moved up, as the first one has gone
    bare.pass_time(700)
    two.locator(".chip").nth(1).hover()
    bare.pass_time(GONE)
    assert pointed(bare) == {"token": 1}


def test_a_chip_that_a_step_takes_away_is_no_longer_pointed_at(bare):
    one = bare.show("token_strip", strip(reveal={"field": "step", "base": 2, "first": 2}))
    bare.show("stepper", stepper(3, first=2))
    one.locator(".chip").nth(3).hover()
    assert pointed(bare) == {"token": 3}
    bare.page.keyboard.press("Home")
    bare.page.keyboard.press("ArrowLeft")
    bare.settle()
    assert not one.locator(".chip").nth(3).is_visible()
    assert pointed(bare) == {}


def test_chips_that_come_under_the_pointer_are_pointed_at_in_their_own_words(bare):
    """The strip shows another text, and names what is selected in it otherwise."""
    one = bare.show("token_strip", strip())
    one.locator(".chip").nth(3).hover()
    bare.show("token_strip", strip("one two three", field="word"))
    bare.settle()
    assert "token" not in pointed(bare)
    bare.page.mouse.move(*ELSEWHERE)
    assert pointed(bare) == {}


def test_lines_are_drawn_anew_under_the_pointer_and_still_let_go(bare):
    """Each word is a new element as soon as it is pointed at."""
    one = bare.show("arcs", lines(8))
    words = one.locator("text.word[role=button]")
    for at in (0, 3, 7):
        box = words.nth(at).bounding_box()
        bare.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert pointed(bare) == {"token": at}
        bare.page.mouse.move(*ELSEWHERE)
        assert pointed(bare) == {}
    words.nth(7).hover()
    bare.show("arcs", lines(2))  # there is no word any more
    bare.settle()
    assert pointed(bare) == {}


def weights(n: int = 6) -> Payload:
    """A matrix of which token looks at which, with arithmetic."""
    words = list("abcdefgh"[:n])
    values = np.arange(n * n, dtype=np.float32).reshape(n, n)
    square = {"kind": "square", "title": "", "x": {"array": "a", "row": "token", "col": "key"},
              "result": {"array": "a", "row": "token", "col": "key"}}  # fmt: skip
    one = sheet(n, n, scale={"kind": "weight", "limit": float(n * n)},
                rows={"labels": words, "field": "token"}, cols={"labels": words, "field": "key"},
                how={"title": "{row} and {col}", "steps": [square]})  # fmt: skip
    return matrix(values, one, selection={"token": 0, "key": 0})


def read(n: int = 6) -> Payload:
    """A strip whose chips say how much the selected token looks at them."""
    payload = strip(" ".join("abcdefgh"[:n]))
    heat = np.full((len(payload.header["tokens"]),) * 2, 0.1, np.float32)
    return Payload(payload.header, {**payload.arrays, "heat": heat})


def frame(one, name: str) -> dict[str, float] | None:
    """Where a frame lies over the canvas."""
    return one.locator(f".picture .{name}").bounding_box()


def test_pointing_at_a_cell_points_at_its_row_and_column_everywhere(bare):
    strips = bare.show("token_strip", read())
    one = bare.show("matrix", weights(), key="one")
    two = bare.show("matrix", weights(), key="two")
    bare.page.evaluate(
        """() => {
          const fill = CanvasRenderingContext2D.prototype.fillRect;
          CanvasRenderingContext2D.prototype.fillRect = function (...where) {
            window.filled += 1;
            return fill.apply(this, where);
          };
        }"""
    )
    bare.settle()  # what the first drawing still brings
    bare.page.evaluate("() => { window.filled = 0; }")
    here = cell(one, 4, 2, rows="abcdef")
    one.locator("canvas").first.hover(position=here)
    assert pointed(bare) == {"token": 4, "key": 2}
    assert strips.locator('[aria-selected="true"] .label').all_inner_texts() == ["e"]
    assert strips.locator(".chip.pointed .label").all_inner_texts() == ["c"]
    for shown in (one, two):
        box = shown.locator("canvas").first.bounding_box()
        row, column = frame(shown, "pointed-row"), frame(shown, "pointed-col")
        assert row["y"] < box["y"] + here["y"] < row["y"] + row["height"]
        assert column["x"] < box["x"] + here["x"] < column["x"] + column["width"]
        selected = frame(shown, "cell")
        assert selected["y"] + selected["height"] < row["y"] + 2
    # Here the arithmetic stays with what is selected, elsewhere it follows; no cell is drawn anew.
    assert one.locator(".how .title").inner_text() == "a and a"
    assert two.locator(".how .title").inner_text() == "e and c"
    assert bare.page.evaluate("() => window.filled") == 0
    bare.page.mouse.move(*ELSEWHERE)
    assert pointed(bare) == {}
    assert two.locator(".how .title").inner_text() == "a and a"
    assert frame(one, "pointed-row") is None


def test_a_row_beyond_the_window_is_marked_in_the_overview(bare):
    values = np.random.default_rng(0).normal(size=(120, 120))
    one = bare.show("matrix", matrix(values, selection={"row": 0, "col": 0}), key="one")
    two = bare.show("matrix", matrix(values, selection={"row": 0, "col": 0}), key="two")
    overview = one.locator(".overview").bounding_box()
    bare.page.mouse.move(overview["x"] + 2, overview["y"] + overview["height"] - 2)
    bare.page.mouse.down()
    bare.page.mouse.up()
    one.locator("canvas").first.hover(position=cell(one, 110, 3))
    assert pointed(bare) == {"row": 110, "col": 3}
    assert frame(two, "pointed-row") is None
    mark = two.locator(".whole .pointed-row").bounding_box()
    whole = two.locator(".overview").bounding_box()
    assert (mark["y"] - whole["y"]) / whole["height"] == pytest.approx(110 / 120, abs=0.02)
