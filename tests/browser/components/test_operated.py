"""Drawings that a pointer operates: each says so, has a name, and answers to keys as well."""

from __future__ import annotations

import numpy as np

from tests.browser.components.test_matrix import cell, matrix, sheet


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
