"""What the check of a lesson finds before a learner does."""

from __future__ import annotations

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
