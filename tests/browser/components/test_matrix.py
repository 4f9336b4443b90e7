"""The matrix: cells, keys, sheets, arithmetic, masks, painting, the window on long ones."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.figures.payload import Payload
from core.figures.text import number
from core.runs.mask_spec import MaskSpec

LABELS = {"masked": "masked", "terms": "{n} terms", "all": "all terms", "fewer": "fewer",
          "computed_by": "computed by", "whole": "the whole"}  # fmt: skip


def sheet(n_rows: int, n_cols: int, **more):
    return {
        "title": "a matrix",
        "array": "a",
        "rows": {"labels": [f"r{i}" for i in range(n_rows)], "field": "row"},
        "cols": {"labels": [f"c{j}" for j in range(n_cols)], "field": "col"},
        "scale": {"kind": "signed", "limit": 1.0},
        "alt": "numbers",
    } | more


def matrix(array, *sheets, arrays=None, **more) -> Payload:
    array = np.asarray(array, np.float32)
    found = list(sheets) or [sheet(*array.shape)]
    return Payload({"sheets": found, "labels": LABELS} | more, {"a": array} | (arrays or {}))


def cell(one, i: int, j: int, rows: str = "") -> dict[str, float]:
    """The place on the canvas of a cell, from how the component lays them out."""
    return one.evaluate(
        """(host, [row, col]) => {
          const canvas = host.querySelector("canvas");
          const box = canvas.getBoundingClientRect();
          const tip = (x, y) => {
            canvas.dispatchEvent(new PointerEvent("pointermove",
              { clientX: box.left + x, clientY: box.top + y, bubbles: true }));
            const { hidden, textContent } = host.querySelector(".tip");
            return hidden ? "" : textContent;
          };
          const along = (length, found) => {
            for (let at = 2; at < length; at += 3) if (found(at)) return at;
            return null;
          };
          // Any cell, then one of the column in its row, then the one of the row in its column.
          const any = along(Math.min(box.width, box.height), (at) => tip(at, at));
          if (any === null) return null;
          const x = along(box.width, (at) => tip(at, any).includes(` → ${col}:`));
          if (x === null) return null;
          const y = along(box.height, (at) => tip(x, at).startsWith(`${row} → ${col}:`));
          return y === null ? null : { x: x + 1, y: y + 1 };
        }""",
        [rows[i], rows[j]] if rows else [f"r{i}", f"c{j}"],
    )


def test_pointing_writes_the_number_as_the_page_does_and_a_click_selects(bare):
    values = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    one = bare.show("matrix", matrix(values))
    place = cell(one, 2, 1)
    canvas = one.locator("canvas").first
    canvas.hover(position=place)
    said = one.locator(".tip").inner_text()
    assert said.split(": ")[1] == number(float(values[2, 1]))
    canvas.click(position=place)
    assert {k: bare.selection()[k] for k in ("row", "col")} == {"row": 2, "col": 1}
    bare.settle()
    assert bare.reported() == [{"row": 2, "col": 1}]


def test_a_strip_says_what_the_colours_stand_for(bare):
    one = bare.show("matrix", matrix([[-0.5, 1.0]], sheet(1, 2)))
    assert one.locator(".scale .ends").inner_text().split() == ["−1.00", "0", "1.00"]
    shares = sheet(1, 2, scale={"kind": "weight", "limit": 1.0})
    one = bare.show("matrix", matrix([[0.5, 1.0]], shares))
    assert one.locator(".scale .ends").inner_text().split("\n") == ["0 %", "100 %"]
    one = bare.show("matrix", matrix([[0.5, 1.0]], sheet(1, 2, numbers=True)))
    assert one.locator(".scale").is_hidden()


def test_arrow_keys_move_over_cells_and_say_them(bare):
    """Before any is pressed a canvas would be an application without a word."""
    values = np.arange(6).reshape(2, 3) / 7
    labels = LABELS | {"keys": "The arrow keys read it."}
    one = bare.show("matrix", matrix(values, labels=labels, selection={"row": 0, "col": 0}))
    canvas = one.get_by_role("application", name="numbers")
    assert canvas.get_attribute("aria-keyshortcuts") == "ArrowDown ArrowUp ArrowRight ArrowLeft"
    expect(canvas).to_have_accessible_description("The arrow keys read it.")
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        bare.page.keyboard.press(key)
    selection = bare.selection()
    assert (selection["row"], selection["col"]) == (1, 2)
    said = one.locator("[aria-live]").inner_text()
    assert said == f"r1, c2: {number(float(np.float32(5 / 7)))}"


def test_a_key_shows_the_numbers_as_a_table_and_takes_it_away(bare):
    values = np.float32([[0.5, -0.25, 2], [1, 0, 3]])
    may = np.uint8([[1, 1, 0], [1, 1, 1]])
    tokens = {"rows": {"labels": ["I", "·saw"], "field": "row"}}
    one = bare.show("matrix", matrix(
        values, sheet(2, 3, mask="may", **tokens), arrays={"may": may},
        selection={"row": 0, "col": 0}))  # fmt: skip
    assert one.locator("table").count() == 0  # nothing is made before it is asked for
    one.locator("canvas").first.press("t")
    table = one.get_by_role("table", name="a matrix")
    assert table.get_by_role("columnheader").all_inner_texts() == ["c0", "c1", "c2"]
    assert table.get_by_role("rowheader").all_inner_texts() == ["I", "saw"]
    cells = table.locator("tbody td").all_inner_texts()
    assert cells == ["0.500", "−0.250", "masked", "1.00", "0", "3.00"]
    expect(one.get_by_role("region", name="a matrix")).to_be_focused()
    bare.page.keyboard.press("Escape")
    expect(table).to_have_count(0)
    expect(one.locator("canvas").first).to_be_focused()
    assert bare.reported() == []


def test_a_table_of_a_long_matrix_has_what_is_shown_and_nothing_that_is_covered(bare):
    values = np.ones((60, 2))
    values[1:] = np.nan
    one = bare.show("matrix", matrix(values, selection={"row": 0, "col": 0}))
    one.locator("canvas").first.press("t")
    expect(one.locator("caption")).to_have_text("a matrix: r0 – r47, c0 – c1")
    assert one.locator("tbody td").all_inner_texts() == ["1.00", "1.00"] + [""] * 94
    one.locator("canvas.overview").press("PageDown")
    expect(one.locator("tbody th").first).to_have_text("r12")
    bare.page.set_viewport_size({"width": 1000, "height": 700})  # a window of another size
    expect(one.locator("canvas.overview")).to_be_visible()
    bare.settle()  # it would be drawn anew within two frames
    assert one.locator("tbody th").first.inner_text() == "r12"
    one.locator("canvas").first.press("ArrowDown")
    expect(one.locator("tbody th").first).to_have_text("r1")


def test_what_a_cell_is_is_said_masked_a_category_or_no_number(bare):
    may = np.tri(3, dtype=np.uint8)
    categories = [{"label": label, "role": "weight"} for label in ("open", "closed")]
    odd = np.array([[np.nan, np.inf], [-np.inf, 0]], np.float32)
    labelled = sheet(2, 2, scale={"kind": "category"}, categories=categories)
    at = {"row": 0, "col": 0}
    for payload, said in (
        (matrix(np.ones((3, 3)), sheet(3, 3, mask="may"), arrays={"may": may}, selection=at),
         {"ArrowRight": "r0, c1: masked"}),
        (matrix(np.eye(2), labelled, selection=at),
         {"ArrowRight": "r0, c1: open", "ArrowLeft": "r0, c0: closed"}),
        (matrix(odd, selection=at),
         {"ArrowRight": "r0, c1: ∞", "ArrowDown": "r1, c1: 0", "ArrowLeft": "r1, c0: −∞",
          "ArrowUp": "r0, c0: –"}),
    ):  # fmt: skip
        one = bare.show("matrix", payload)
        bare.page.evaluate("(at) => __glassformer.live.set(at)", at)
        one.locator("canvas").first.focus()
        for key, words in said.items():
            bare.page.keyboard.press(key)
            assert one.locator("[aria-live]").inner_text() == words


def test_sheets_share_the_selected_cell(bare):
    first, second = (
        sheet(2, 2, title=name, tab=name, array=name) for name in ("one", "two")
    )  # fmt: skip
    payload = matrix(
        np.zeros((2, 2)), first, second, sheet_field="stage",
        arrays={"one": np.eye(2, dtype=np.float32), "two": -np.eye(2, dtype=np.float32)},
        selection={"row": 1, "col": 1, "stage": 0},
    )  # fmt: skip
    one = bare.show("matrix", payload)
    assert one.locator(".title").first.inner_text() == "one"
    one.get_by_role("tab", name="two").click()
    assert one.locator(".title").first.inner_text() == "two"
    assert one.get_by_role("tab", name="two").get_attribute("aria-selected") == "true"
    bare.settle()
    assert bare.reported() == [{"stage": 1}]
    assert bare.selection()["row"] == 1


def test_rows_with_ids_are_selected_by_them(bare):
    rows = {"labels": ["a", "b"], "ids": [7, 11], "field": "token"}
    one = bare.show("matrix", matrix(np.eye(2), sheet(2, 2, rows=rows), selection={"token": 7}))
    one.locator("canvas").first.focus()
    bare.page.keyboard.press("ArrowDown")
    assert bare.selection()["token"] == 11
    bare.show("matrix", matrix(np.eye(2), sheet(2, 2, rows=rows), selection={"token": 3}))
    bare.page.keyboard.press("ArrowUp")  # none is selected: the keys start over
    assert bare.selection()["token"] in (7, 11)


def test_the_arithmetic_beside_adds_up_to_the_cell(bare, payload_of):
    """q · k as it is shown: the terms in front of the learner sum to the number in the cell."""
    one = bare.show(
        "matrix",
        payload_of(
            "attention.steps",
            text="The cat sat on the mat",
            step=3,
            layer=0,
            head=1,
            token=4,
            key=2,
        ),
    )
    how = one.locator(".how")
    assert how.is_visible()
    assert how.locator(".step").count() > 2
    more = how.get_by_role("button").first
    more.focus()
    bare.page.keyboard.press("Enter")  # all terms; the button keeps the keyboard
    line = how.locator(".sum").first.inner_text()
    factor = r"\(?(−?[\d.]+(?:·10[⁻⁰¹²³⁴-⁹]+)?)\)?"
    terms = re.findall(f"{factor}·{factor}", line)
    total = sum(_value(a) * _value(b) for a, b in terms)
    assert len(terms) >= 8
    assert total == pytest.approx(_value(re.split("[=≈] ", line)[-1]), abs=0.05)
    assert bare.page.evaluate("() => Boolean(matrix.shadowRoot.activeElement)")


def test_negative_amounts_beside_a_cell_are_left_of_the_zero_line(bare):
    how = {"title": "{row}", "steps": [{"kind": "ranks", "title": "adds", "list": "words"}]}
    lists = {"words": [[["up", 3.0], ["down", -1.5]]]}
    one = bare.show("matrix", matrix([[1.0]], sheet(1, 1, how=how), lists=lists))
    zero, up, down = one.evaluate(
        """(host) => {
          const seen = (name) => host.querySelector(name).getBoundingClientRect();
          return [".mini-zero", ".mini-bar:not(.negative)", ".mini-bar.negative"].map(seen)
            .map(({ left, right }) => [left, right]);
        }"""
    )
    assert up[0] == pytest.approx(zero[0], abs=0.5)
    assert down[1] == pytest.approx(zero[0], abs=0.5)
    assert up[1] - up[0] == pytest.approx(2 * (down[1] - down[0]), rel=0.02)


def _value(text: str) -> float:
    by_e = text.replace("·10", "e").translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    return float(by_e.replace(",", ""))


def test_a_long_matrix_has_a_window_and_an_overview_to_drag_it_in(bare):
    rng = np.random.default_rng(3)
    one = bare.show("matrix", matrix(rng.normal(size=(120, 120)), selection={"row": 0, "col": 0}))
    overview = one.locator(".overview")
    assert overview.is_visible()
    assert cell(one, 119, 119) is None
    box = overview.bounding_box()
    bare.page.mouse.move(box["x"] + 5, box["y"] + 5)
    bare.page.mouse.down()
    bare.page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=4)
    bare.page.mouse.up()
    assert cell(one, 119, 119) is not None
    # What is selected elsewhere is brought into the window.
    bare.show("matrix", matrix(rng.normal(size=(120, 120)), selection={"row": 60, "col": 3}))
    assert cell(one, 60, 3) is not None


def test_words_in_cells_are_fewer_at_a_time_on_a_phone(bare):
    words = [[f"word{j}" for j in range(8)] for _ in range(2)]
    one = bare.show("matrix", matrix(np.zeros((2, 8)), sheet(2, 8, texts=words, least_cell=66)))
    assert not one.locator(".overview").is_visible()
    bare.page.set_viewport_size({"width": 390, "height": 844})
    bare.settle()
    assert one.locator(".overview").is_visible()
    box = one.locator("canvas").first.bounding_box()
    assert box["width"] <= 390
    assert cell(one, 1, 3) is not None
    assert cell(one, 1, 5) is None


def test_a_painted_mask_travels_as_a_word_that_python_reads(bare):
    """A stroke toggles its first cell and makes those it is dragged over like it."""
    may = np.tri(5, dtype=np.uint8)
    one = bare.show("matrix", matrix(
        np.ones((5, 5)), sheet(5, 5, mask="may", paint={"array": "may", "field": "mask"}),
        arrays={"may": may}, selection={"row": 0, "col": 0}))  # fmt: skip
    box = one.locator("canvas").first.bounding_box()
    start, end = (cell(one, 2, j) for j in (0, 2))
    bare.page.mouse.move(box["x"] + start["x"], box["y"] + start["y"])
    bare.page.mouse.down()
    bare.page.mouse.move(box["x"] + end["x"], box["y"] + end["y"], steps=12)
    bare.page.mouse.up()
    bare.settle()
    expected = may.astype(bool)
    expected[2, :3] = False
    said = {name: value for report in bare.reported() for name, value in report.items()}
    assert (MaskSpec.parse(said["mask"]).cells() == expected).all()
    # The same by the keyboard, one cell.
    one.locator("canvas").first.focus()
    bare.page.keyboard.press("Enter")
    row, col = bare.selection()["row"], bare.selection()["col"]
    expected[row, col] = not expected[row, col]
    assert (MaskSpec.parse(bare.selection()["mask"]).cells() == expected).all()


def test_a_finger_that_is_dragged_paints_all_the_way(bare_page):
    bare = bare_page(phone=True)
    one = bare.show("matrix", matrix(
        np.ones((5, 5)), sheet(5, 5, mask="may", paint={"array": "may", "field": "mask"}),
        arrays={"may": np.ones((5, 5), np.uint8)}))  # fmt: skip
    box = one.locator("canvas").first.bounding_box()
    first, last = (cell(one, i, 1) for i in (1, 3))
    finger = bare.page.context.new_cdp_session(bare.page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, share in [("Start", 0.0), *(("Move", n / 8) for n in range(1, 9)), ("End", None)]:
        y = first["y"] + (last["y"] - first["y"]) * (share or 0)
        at = [] if share is None else [{"x": box["x"] + first["x"], "y": box["y"] + y}]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})
    bare.settle()
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    finger.detach()
    expected = np.ones((5, 5), bool)
    expected[1:4, 1] = False
    assert (MaskSpec.parse(bare.selection()["mask"]).cells() == expected).all()


@pytest.mark.parametrize(("rows", "cols"), [(2, 4), (4, 2)])
def test_a_painted_rectangle_travels_as_a_square(bare, rows, cols):
    """It stands in the square's corner; an answer that is on its way takes nothing back."""
    may = np.ones((rows, cols), np.uint8)
    may[0, 1] = 0

    def show(cells):
        return bare.show("matrix", matrix(
            np.ones((rows, cols)),
            sheet(rows, cols, mask="may", paint={"array": "may", "field": "mask"}),
            arrays={"may": cells}, selection={"row": rows - 1, "col": cols - 1}))  # fmt: skip

    one = show(may)
    one.locator("canvas").first.focus()
    bare.page.keyboard.press("Enter")
    expected = np.ones((4, 4), bool)
    expected[0, 1] = expected[rows - 1, cols - 1] = False
    assert (MaskSpec.parse(bare.selection()["mask"]).cells() == expected).all()
    # The page answers to an earlier stroke: the newer one is still there, and can be taken back.
    one = show(may)
    bare.page.keyboard.press("Enter")
    expected[rows - 1, cols - 1] = True
    assert (MaskSpec.parse(bare.selection()["mask"]).cells() == expected).all()
