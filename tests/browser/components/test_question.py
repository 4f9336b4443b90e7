"""A question: a way to answer for each kind; nothing is right before the server says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import core
from core.data.glossary import as_html
from core.figures.payload import Payload

LABELS = {name: name for name in ("check", "hint", "give", "again", "wanted", "a_number",
                                  "no_share", "up", "down")}  # fmt: skip
LABELS |= {"read": "Read as {number}.", "read_not": "Read as {number}, not as {other}."}


def question(kind: str, **more: Any) -> Payload:
    header = {
        "id": "q1", "kind": kind, "ask": "What?", "options": ["one", "two", "three"],
        "asks": f"{more.get('id', 'q1')} 0 abc", "hints": [], "more_hints": True,
        "given_up": False, "done": False, "may_repeat": True, "labels": LABELS,
    }  # fmt: skip
    return Payload(header | more)


def answered(bare) -> Any:
    return bare.said("question", "answer")[-1]["value"]


def test_a_number_is_sent_as_it_is_read_and_what_is_none_is_not_sent(bare):
    one = bare.show("question", question("number"))
    field, read = one.locator("input"), one.locator(".read")
    check = one.get_by_role("button", name="check")
    for typed, why in (("", "a_number"), ("1.2.3", "a_number"), ("50 %", "no_share")):
        field.fill(typed)
        check.click()
        assert one.locator(".wanted").inner_text() == why
    assert bare.said("question", "answer") == []
    for typed, said in (("-1,69e-1", "Read as −0.169."), ("5.000", "Read as 5, not as 5,000.")):
        field.fill(typed)
        assert read.inner_text() == said
    field.fill("1,234.5")
    check.click()
    assert answered(bare) == 1234.5
    one = bare.show("question", question("number", id="q2", unit="billion"))
    one.locator("input").fill("12,6 Md")
    one.get_by_role("button", name="check").click()
    assert answered(bare) == pytest.approx(12.6)
    one = bare.show("question", question("number", id="q3", sort="share"))
    one.locator("input").fill("81.3 %")
    one.locator("input").press("Enter")
    sent = bare.said("question", "answer")[-1]
    assert sent == {"id": "q3 0 abc", "value": pytest.approx(0.813), "percent": True}


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
    assert one.locator("output").all_inner_texts() == ["34 %", "33 %", "33 %"]
    one.locator("input").nth(0).fill("90")  # the others share what is left
    one.locator("input").nth(1).fill("0")
    assert one.locator("output").all_inner_texts() == ["95 %", "0 %", "5 %"]
    assert [knob.input_value() for knob in one.locator("input").all()] == ["95", "0", "5"]
    one.get_by_role("button", name="check").click()
    assert answered(bare) == [95, 0, 5]


def test_what_is_put_together_is_sent_by_a_button_that_stands_out_then(bare_page):
    bare = bare_page(phone=True)
    one = bare.show("question", question("tokens"))
    check = one.get_by_role("button", name="check").first
    assert "primary" not in (check.get_attribute("class") or "")
    one.locator(".chip").nth(1).click()
    assert "primary" in (check.get_attribute("class") or "")
    check.evaluate("(one) => { one.style.marginTop = '200vh' }")  # a figure lies between
    one.locator("button.here").click()
    assert answered(bare) == [1]
    goal = bare.show("question", question("do", id="q2", moved=False, taps=True))
    assert goal.locator("button.check:visible, button.here:visible").count() == 0
    assert goal.locator(".near").inner_text() == "wanted"


def test_a_digit_answers_one_question_and_none_where_such_keys_are_off(bare):
    page = bare.page
    one = bare.show("question", question("choice", taps=True))
    two = bare.show("question", question("choice", id="q2", taps=True), key="second")
    page.keyboard.press("2")
    assert answered(bare) == 1
    assert bare.said("second", "answer") == []
    two.locator(".option").nth(0).focus()  # the one that has the keyboard is meant
    page.keyboard.press("3")
    assert bare.said("second", "answer")[-1]["value"] == 2
    assert len(bare.said("question", "answer")) == 1
    page.evaluate("document.activeElement.blur()")
    page.evaluate("localStorage.setItem('glassformer.characters', 'off')")
    page.keyboard.press("1")
    assert len(bare.said("question", "answer")) == len(bare.said("second", "answer")) == 1
    one.locator(".option").nth(1).focus()  # of what has the keyboard, keys are no shortcuts
    page.keyboard.press("1")
    assert answered(bare) == 0
    page.evaluate("localStorage.removeItem('glassformer.characters')")


def test_a_button_that_goes_leaves_the_keyboard_at_what_came_of_it(bare):
    one = bare.show("question", question("choice"))
    hint = question("choice", hints=["Look again."], more_hints=False)
    said = {"right": True, "says": "Right.", "given": 1}
    done = question("choice", done=True, answer=1, marked=said, may_repeat=False)
    for button, after, has_it in ((".hint", hint, ".hints"), (".check", done, ".said")):
        one.locator(button).press("Enter")
        bare.show("question", after)
        expect(one.locator(has_it)).to_be_focused()


def test_escape_closes_what_explains_a_term(bare):
    page = bare.page
    bare.show("question", question("choice"))
    css = (Path(core.__file__).parent.parent / "assets" / "page.css").read_text()
    said = as_html("A [[logit]] and a [[softmax]].")
    page.evaluate("([said, css]) => { const p = document.createElement('div'); p.innerHTML = "
                  "`<style>${css}</style>${said}`; document.body.prepend(p); }",
                  [said, css])  # fmt: skip
    first, second = (page.locator(".glass-term").nth(n) for n in (0, 1))
    about = page.locator(f"[id='{first.get_attribute('aria-describedby')}']")
    first.focus()
    expect(about).to_be_visible()
    page.keyboard.press("Escape")
    expect(about).to_be_hidden()
    assert first.evaluate("(one) => one === document.activeElement")
    second.focus()
    first.focus()
    expect(about).to_be_visible()
    second.focus()
    first.hover()
    expect(about).to_be_visible()
    page.keyboard.press("Escape")
    expect(about).to_be_hidden()


def test_what_was_answered_is_marked_and_cannot_be_changed(bare):
    said = {"right": True, "says": "Right.", "given": 1}
    more = {"done": True, "answer": 1, "marked": said, "solution": "Because."}
    one = bare.show("question", question("choice", **more))
    assert one.locator("label.right").inner_text() == "two"
    assert one.locator(".good").inner_text() == "Right."
    assert one.locator(".solution").inner_text() == "Because."
    assert one.locator("input:disabled").count() == 3
    assert one.get_by_role("button", name="again").count() == 1
