"""Drawings that a pointer operates: each says so, has a name, and answers to keys as well."""

from __future__ import annotations

import numpy as np

from tests.browser.components.test_matrix import cell, matrix, sheet

TEXT = "The cat sat on the mat"
ARROWS = "ArrowDown ArrowUp ArrowRight ArrowLeft"


def test_cells_are_reached_by_their_drawings_name(bare):
    one = bare.show("matrix", matrix(np.eye(3), selection={"row": 0, "col": 0}))
    drawing = one.get_by_role("application", name="numbers")
    assert drawing.get_attribute("aria-keyshortcuts") == ARROWS
    drawing.press("ArrowDown")
    bare.settle()
    assert bare.reported() == [{"row": 1, "col": 0}]


def test_what_cannot_be_selected_is_a_picture(bare):
    both = {name: {"labels": ["a", "b", "c"], "field": "token"} for name in ("rows", "cols")}
    one = bare.show("matrix", matrix(np.eye(3), sheet(3, 3, **both)))
    picture = one.get_by_role("img", name="numbers")
    assert picture.get_attribute("tabindex") is None
    assert one.get_by_role("application").count() == 0
    # Another sheet in its place may be one to select in.
    bare.show("matrix", matrix(np.eye(3)))
    assert one.get_by_role("application", name="numbers").get_attribute("tabindex") == "0"


def test_keys_move_the_window_of_a_long_matrix(bare):
    one = bare.show("matrix", matrix(np.eye(120), selection={"row": 0, "col": 0}))
    whole = one.get_by_role("application", name="the whole")
    assert cell(one, 48, 1) is None
    whole.press("ArrowDown")
    whole.press("ArrowRight")
    assert cell(one, 48, 1) is not None
    assert cell(one, 0, 1) is None
    assert one.locator("[aria-live]").inner_text() == "r1 – r48, c1 – c48"
    for _ in range(3):  # it ends where the matrix ends
        whole.press("PageDown")
    assert one.locator("[aria-live]").inner_text() == "r72 – r119, c1 – c48"
    whole.press("PageUp")
    assert one.locator("[aria-live]").inner_text() == "r24 – r71, c1 – c48"
    # The window moves, what is selected stays.
    bare.settle()
    assert bare.reported() == []


def test_the_grid_of_heads_has_a_name_and_keys(bare, payload_of):
    payload = payload_of("attention.heads", text=TEXT, layer=0, head=0)
    one = bare.show("head_grid", payload)
    grid = one.get_by_role("application", name=payload.header["title"])
    grid.press("ArrowRight")
    bare.settle()
    assert bare.reported() == [{"layer": 0, "head": 1}]


def test_a_word_of_the_lines_says_that_it_is_selected(bare, payload_of):
    one = bare.show("arcs", payload_of("attention.lines", text=TEXT, layer=0, head=0, token=1))
    words = one.locator("text.word[role=button]")
    pressed = one.locator("text.word[aria-pressed=true]")
    assert pressed.count() == 1
    words.nth(3).press("Enter")
    assert pressed.all_text_contents() == [words.nth(3).text_content()]
