"""A question: a way to answer for each kind; nothing is right before the server says so."""

from __future__ import annotations

from typing import Any

import pytest

from core.figures.payload import Payload

LABELS = {name: name for name in ("check", "hint", "give", "again", "wanted", "a_number", "up",
                                  "down")}  # fmt: skip


def question(kind: str, **more: Any) -> Payload:
    header = {
        "id": "q1", "seed": 0, "kind": kind, "ask": "What?", "options": ["one", "two", "three"],
        "hints": [], "more_hints": True, "given_up": False, "done": False, "may_repeat": True,
        "labels": LABELS,
    }  # fmt: skip
    return Payload(header | more)


def answered(bare) -> Any:
    return bare.said("question", "answer")[-1]["value"]


@pytest.mark.parametrize(("typed", "value"), [
    ("2", 2), ("0.126", 0.126), ("0,126", 0.126), ("−1,5", -1.5), ("1,234", 1234), ("1e-3", 0.001),
    ("81.3 %", 0.813), (" 12 ", 12), ("1,234.5", 1234.5), (".5", 0.5), ("3,14159", 3.14159),
])  # fmt: skip
def test_a_number_is_read_as_learners_write_it(bare, typed, value):
    one = bare.show("question", question("number"))
    one.locator("input").fill(typed)
    one.get_by_role("button", name="check").click()
    assert answered(bare) == pytest.approx(value)


def test_per_cent_stay_per_cent_where_they_are_asked_for(bare):
    one = bare.show("question", question("number", unit="%"))
    one.locator("input").fill("81.3 %")
    one.locator("input").press("Enter")
    assert answered(bare) == pytest.approx(81.3)


@pytest.mark.parametrize("typed", ["", "abc", "1.2.3", "%", "--1"])
def test_what_is_no_number_is_not_sent(bare, typed):
    one = bare.show("question", question("number"))
    one.locator("input").fill(typed)
    one.get_by_role("button", name="check").click()
    assert one.locator(".wanted").inner_text() == "a_number"
    assert bare.said("question", "answer") == []


def test_options_tokens_orders_and_bets(bare):
    one = bare.show("question", question("choice"))
    one.locator("label").nth(1).click()
    one.get_by_role("button", name="check").click()
    assert answered(bare) == 1
    one = bare.show("question", question("tokens", id="q2"))
    for n in (2, 0):
        one.locator(".chip").nth(n).click()
    one.get_by_role("button", name="check").click()
    assert answered(bare) == [0, 2]
    one = bare.show("question", question("order", id="q3"))
    one.locator("li").nth(2).get_by_role("button", name="up").click()
    one.get_by_role("button", name="check").click()
    assert answered(bare) == [0, 2, 1]
    one = bare.show("question", question("bet", id="q4"))
    one.locator("input").nth(0).fill("90")
    one.get_by_role("button", name="check").click()
    assert answered(bare) == [90, 33, 33]


def test_at_once_a_click_is_the_answer(bare):
    one = bare.show("question", question("choice", at_once=True))
    one.locator(".option").nth(2).click()
    assert answered(bare) == 2
    assert one.get_by_role("button", name="check").count() == 0


def test_what_was_answered_is_marked_and_cannot_be_changed(bare):
    said = {"right": True, "says": "Right.", "given": 1}
    more = {"done": True, "answer": 1, "marked": said, "solution": "Because."}
    one = bare.show("question", question("choice", **more))
    assert one.locator("label.right").inner_text() == "two"
    assert one.locator(".good").inner_text() == "Right."
    assert one.locator(".solution").inner_text() == "Because."
    assert one.locator("input:disabled").count() == 3
    assert one.get_by_role("button", name="again").count() == 1


def test_markup_in_a_question_is_text(bare):
    one = bare.show("question", question("choice", ask="<img src=x onerror=alert(1)>"))
    assert one.locator("img").count() == 0
    assert "<img" in one.locator(".ask").inner_text()
