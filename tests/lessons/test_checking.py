"""What the check of a lesson finds before a learner does."""

from __future__ import annotations

import re

import pytest

from core.lessons.checking import faults
from core.lessons.reader import parse
from core.runs.store import Runs
from tests.lessons.test_reader import FRONT, step

VIEW = """
```view
view: {view}
offers: [{name}]
```
"""


def said(text: str) -> list[str]:
    lesson = parse(FRONT + text + "".join(map(step, ("two", "three", "four"))), "sums.md", "en")
    return [one.reason for one in faults(lesson, Runs().get, 2)]


@pytest.mark.parametrize(("view", "name", "reason"), [
    ("positions.curves", "pair", ""),
    ("positions.curves", "wings", "positions.curves has no parameter 'wings' to offer"),
])  # fmt: skip
def test_what_cannot_be_offered_is_a_fault(view, name, reason):
    found = [one for one in said(step("one") + VIEW.format(view=view, name=name)) if name in one]
    assert found == ([reason] if reason else [])


def test_the_text_below_a_question_may_name_what_it_drew_and_that_above_may_not():
    drawn = step("one").replace("answer: 1 + 2", 'draw: {n: "[2, 3]"}\nanswer: 1 + n')
    drawn = drawn.replace("wrong: {forgot: 1}", "wrong: {forgot: {answer: n, says: No.}}")
    assert not [one for one in said(drawn.replace("After.", "It was {{n}}.")) if "'n'" in one]
    assert [one for one in said(drawn.replace("Before.", "It is {{n}}.")) if "'n'" in one]


def of_number(sort: str, answer: str) -> list[str]:
    text = step("one").replace("answer: 1 + 2", f"answer: {answer}")
    return [one for one in said(text.replace("kind: number", f"kind: number\n{sort}"))
            if ("whole" in one and "one" in one) or "share" in one]  # fmt: skip


def test_who_asks_about_how_much_takes_what_is_about_that():
    exact = step("one").replace("kind: number", "kind: number\nnumber: measured\ntolerance: 0.03")
    asking = re.sub(r"(?m)^ask: .*$", "ask: About how many?", exact)
    assert [one for one in said(asking) if "5% off is right" in one]
    assert not [one for one in said(asking.replace("0.03", "0.05")) if "is right, too" in one]
    assert not [one for one in said(exact) if "is right, too" in one]


def on_the_edge(answer: str, tolerance: float) -> list[str]:
    text = step("one").replace("answer: 1 + 2", f"answer: {answer}")
    text = text.replace("kind: number", f"kind: number\ntolerance: {tolerance}")
    return [one for one in said(text) if "chance decides" in one]


def test_an_answer_whose_two_decimals_are_just_within_the_tolerance_is_a_fault():
    (found,) = on_the_edge("4 / 9", 0.01)
    assert "0.444" in found
    assert on_the_edge("5 / 11", 0.01)
    assert on_the_edge("4 / 9", 0.012) == on_the_edge("1 / 4", 0.01) == []


def test_an_answer_that_is_not_the_kind_of_number_that_the_question_says_is_a_fault():
    assert of_number("number: whole", "1 + 2.5") == ["question one: its answer 3.5 is not whole"]
    assert of_number("number: share", "1 + 2.5") == [
        "question one: its answer 3.5 is no share of a whole"
    ]
    (plain,) = of_number("", "1 + 2")
    assert plain.startswith("question one: its answers are whole numbers; say number: whole")
    for sort, answer in (("number: measured", "1 + 2"), ("number: share", "0.25"), ("", "2.5")):
        assert of_number(sort, answer) == []


@pytest.mark.parametrize(("asks", "wanted"), [
    ("params: {head: 9}", "head is 9; it must be between 0 and 3"),
    ("params: {layer: 99}", "layer is 99; it must be between 0 and 5"),
    ('params: {text: The cat}\nselect: {token: "8"}', "token is 8; it must be between 0 and 2"),
    ('params: {text: The cat}\nselect: {col: "256"}', "col is 256; it must be between 0 and 255"),
    ("params: {head: 3, layer: 5}", ""),
])  # fmt: skip
def test_a_figure_of_what_the_model_does_not_have_is_a_fault(asks, wanted):
    view = f"```view\nview: attention.weights\n{asks}\n```\n"
    asked = step("one").replace("Before.", f"Before.\n\n{view}")
    shown = f"{step('one')}\n## Step six {{#six C5}}\n\n{view}\nSee?\n"  # it asks nothing
    for text in (asked, shown):
        found = [one for one in said(text) if "must be" in one]
        assert found == ([wanted] if wanted else [])


def test_a_question_for_one_place_that_has_several_is_a_fault():
    asks = step("one").replace("kind: number", "kind: tokens\none: true\nover: range(3)")
    picked = asks.replace(
        "wrong: {forgot: 1}", 'wrong: {forgot: {answer: "range(3) == 0", says: No.}}'
    )
    picked = picked.replace("{{answer}}", "this")
    two = said(picked.replace("answer: 1 + 2", "answer: range(3) > 0"))
    assert "question one, seed 0: its answer is not one place" in two
    one = said(picked.replace("answer: 1 + 2", "answer: range(3) == 2"))
    assert not [each for each in one if each.startswith("question one")]


@pytest.mark.parametrize(("words", "reason"), [(300, ""), (4000, "minutes, and may take 15")])
def test_a_lesson_of_more_than_fifteen_minutes_is_a_fault(words, reason):
    found = said(step("one").replace("Before.", "word " * words))
    long = [one for one in found if "minutes" in one]
    assert len(long) == bool(reason)
    assert all(reason in one for one in long)
