"""Answers that are picked on a figure: by mouse, keys and touch, with no word to the server."""

from __future__ import annotations

from typing import Any

import numpy as np
from playwright.sync_api import expect

from core.figures.payload import Payload
from tests.browser.components.test_matrix import matrix, sheet
from tests.browser.components.test_question import answered, question
from tests.browser.components.test_token_strip import strip

LABELS = {
    "pick": "none yet", "picked": "picked: {n}", "grid": "cells", "legend": "framed and ticked",
    "yours": "yours", "right": "right", "both": "yours, right", "to_figure": "To the figure",
}  # fmt: skip
OPTIONS = ["one", "two", "three", "four", "five", "six"]


def asks(n: int, shape: list[int], row: int | None = None, given: Any = None, **more) -> Payload:
    """A question that is answered in the figure called "fig"."""
    options = [OPTIONS[at] if at < len(OPTIONS) else str(at) for at in range(n)]
    picks = {"figure": "fig", "shape": shape, "row": row, "given": given, "labels": LABELS}
    return question("cells", options=options, picks=picks, **more)


def numbers(**more) -> Payload:
    return matrix(np.arange(6).reshape(2, 3) / 7, figure="fig", **more)


def names(places) -> list[str]:
    return places.evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")


def pressed(one) -> list[str]:
    return names(one.locator('.pick[aria-pressed="true"]'))


def counted(bare) -> str:
    return bare.page.locator("#question .count").inner_text()


def is_quiet(bare) -> bool:
    """Nothing was selected, and nothing said to the server."""
    bare.settle()
    return not bare.reported() and not bare.said("question")


def test_chips_are_picked_and_taken_back_and_the_selection_stays(bare):
    one = bare.show("token_strip", strip("a b c", figure="fig", default=1))
    asked = bare.show("question", asks(3, [1, 3]))
    chips = one.locator(".chip")
    assert asked.locator(".chip").count() == 0
    assert counted(bare) == "none yet"
    for n in (0, 2, 0):
        chips.nth(n).click()
    assert one.locator('[aria-selected="true"] .label').all_inner_texts() == ["c"]
    assert one.locator(".strip").get_attribute("aria-multiselectable") == "true"
    assert counted(bare) == "picked: 1"
    assert asked.locator(".names").inner_text() == "three"
    assert "token" not in bare.selection()
    assert is_quiet(bare)
    asked.get_by_role("button", name="check").click()
    assert answered(bare) == [2]


def test_where_one_is_asked_for_a_corrected_pick_takes_the_place_of_the_first(bare):
    one = bare.show("matrix", numbers())
    asked = asks(6, [2, 3])
    asked.header["picks"]["one"] = True
    shown = bare.show("question", asked)
    cells = one.locator("button.pick")
    for n in (0, 4):
        cells.nth(n).click()
    assert counted(bare) == "picked: 1"
    shown.get_by_role("button", name="check").click()
    assert answered(bare) == [4]
    strip_ = bare.show("question", question("tokens", id="q2", one=True))  # with no figure
    for n in (2, 1):
        strip_.locator(".chip").nth(n).click()
    strip_.get_by_role("button", name="check").click()
    assert answered(bare) == [1]


def test_chips_are_picked_by_keys_and_a_figure_is_as_ever_when_its_question_has_gone(bare):
    one = bare.show("token_strip", strip("a b c", figure="fig", selection={"token": 1}))
    bare.show("question", asks(3, [1, 3]))
    assert one.locator('[aria-selected="true"]').count() == 0
    assert one.locator(".asked .label").inner_text() == "b"  # what is selected is still seen
    one.locator('.chip[tabindex="0"]').focus()
    for key in ("ArrowLeft", "Enter", "ArrowRight", "ArrowRight", " "):
        bare.page.keyboard.press(key)
    assert one.locator('[aria-selected="true"] .label').all_inner_texts() == ["a", "c"]
    assert is_quiet(bare)
    bare.show("question", asks(3, [1, 3], asks="q1 1 def"))  # other data begin anew
    assert one.locator('[aria-selected="true"]').count() == 0
    bare.show("question", question("choice", id="other"))
    assert one.locator(".free, .picked").count() == 0
    one.locator(".chip").nth(2).click()
    assert bare.selection()["token"] == 2


def test_cells_of_one_row_are_picked_and_no_others(bare):
    one = bare.show("matrix", numbers(selection={"row": 0, "col": 0}))
    bare.show("question", asks(3, [2, 3], row=1))
    assert names(one.locator(".pick")) == ["r1 → c0", "r1 → c1", "r1 → c2"]
    assert one.locator("canvas").first.get_attribute("role") == "img"
    for n in (0, 1, 0):
        one.locator(".pick").nth(n).click()
    assert pressed(one) == ["r1 → c1"]
    one.locator("canvas").first.click(position={"x": 95, "y": 5})  # of the other row
    assert {name: bare.selection()[name] for name in ("row", "col")} == {"row": 0, "col": 0}
    assert is_quiet(bare)
    bare.page.locator("#question").get_by_role("button", name="check").click()
    assert answered(bare) == [1]


def test_the_arrows_go_from_cell_to_cell_and_enter_picks(bare):
    one = bare.show("matrix", numbers())
    bare.show("question", asks(6, [2, 3]))
    assert one.locator('.pick[tabindex="0"]').count() == 1
    one.locator('.pick[tabindex="0"]').focus()
    for key in ("ArrowRight", "Enter", "ArrowDown", "ArrowDown", "ArrowRight", "Space"):
        bare.page.keyboard.press(key)
    assert pressed(one) == ["r0 → c1", "r1 → c2"]
    assert counted(bare) == "picked: 2"
    assert is_quiet(bare)


def test_who_goes_by_keyboard_comes_to_the_cells_before_she_checks(bare):
    bare.show("question", asks(6, [2, 3]))
    one = bare.show("matrix", numbers())
    bare.page.keyboard.press("Tab")
    way = bare.page.get_by_role("button", name="To the figure")
    expect(way).to_be_focused()
    bare.page.keyboard.press("Enter")
    expect(one.locator(".pick").first).to_be_focused()
    bare.show("question", asks(6, [2, 3], done=True))
    expect(way).to_be_hidden()


def test_the_keys_take_the_window_of_a_long_matrix_along(bare):
    bare.show("question", asks(240, [60, 4]))
    payload = matrix(np.zeros((60, 4)), sheet(60, 4), figure="fig")
    one = bare.show("matrix", payload)
    one.locator('.pick[tabindex="0"]').focus()
    for _ in range(59):
        bare.page.keyboard.press("ArrowDown")
    bare.page.keyboard.press("Enter")
    assert pressed(one) == ["r59 → c0"]
    bare.page.locator("#question").get_by_role("button", name="check").click()
    assert answered(bare) == [59 * 4]


def test_a_finger_picks_too_and_finds_cells_large_enough(bare_page):
    bare = bare_page(phone=True)
    many = np.zeros((12, 12))
    one = bare.show("matrix", matrix(many, sheet(12, 12, row_height=16), figure="fig"))
    bare.show("question", asks(12, [12, 12], row=5))
    box = one.locator(".pick").nth(3).bounding_box()
    assert min(box["width"], box["height"]) >= 23
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger = bare.page.context.new_cdp_session(bare.page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(one.locator('.pick[aria-pressed="true"]')).to_have_count(1)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    finger.detach()
    assert pressed(one) == ["r5 → c3"]
    assert is_quiet(bare)


def test_with_the_answer_hers_is_framed_and_the_right_ones_are_ticked(bare):
    one = bare.show("matrix", numbers())
    bare.show("question", asks(6, [2, 3]))
    for n in (1, 5):
        one.locator(".pick").nth(n).click()
    said = {"right": False, "says": "No.", "given": [1, 5]}
    bare.show("question", asks(6, [2, 3], given=[1, 5], done=True, answer=[0, 1], marked=said))
    assert counted(bare) == "framed and ticked"
    assert sorted(names(one.locator(".pick:visible"))) == [
        "r0 → c0: right", "r0 → c1: yours, right", "r1 → c2: yours",
    ]  # fmt: skip
    assert one.locator(".pick.hers").count() == one.locator(".pick.good").count() == 2
    frame = one.locator(".pick.hers").first
    assert frame.evaluate("(one) => getComputedStyle(one).borderTopWidth") == "3px"
    one.locator("canvas").first.click(position={"x": 95, "y": 5})  # an ordinary figure again
    assert bare.selection()["row"] == 0
    bare.settle()
    assert bare.reported()


def test_with_the_answer_chips_say_whose_they_were(bare):
    bare.show("question", asks(3, [1, 3], given=[0, 1]))
    one = bare.show("token_strip", strip("a b c", figure="fig"))
    mine = one.locator('[aria-selected="true"] .label')
    assert mine.all_inner_texts() == ["a", "b"]  # an earlier guess is there on another visit
    said = {"right": False, "says": "No.", "given": [0, 1]}
    bare.show("question", asks(3, [1, 3], done=True, answer=[1, 2], marked=said))
    words = [chip.get_attribute("aria-description") for chip in one.locator(".chip").all()]
    assert words == ["yours", "yours, right", "right"]
    one.locator(".chip").nth(2).click()
    assert bare.selection()["token"] == 2


def test_markdown_is_elements_and_what_is_in_it_is_text(bare):
    hostile = "<img src=x onerror=alert(1)>"
    ask = [["plain ", ""], [hostile, "strong em"], ["x", "code"], ["y", "script"]]
    one = bare.show("question", question("choice", ask=ask, solution=[["so", "em"]], done=True))
    assert one.locator(".ask strong em").inner_text() == hostile
    assert one.locator(".ask code").inner_text() == "x"
    assert one.locator("img, script").count() == 0
    assert one.locator(".solution em").inner_text() == "so"
