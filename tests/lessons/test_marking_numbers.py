"""A number from the browser, however large it is written."""

from __future__ import annotations

import json

import pytest

from core.lessons.marking import answer_of
from core.lessons.posing import Posed
from core.lessons.schema import Question

LARGE = "1" + "0" * 400


def posed(kind: str, options: tuple[str, ...] = ()) -> Posed:
    question = Question.model_construct(kind=kind, one=False)
    return Posed(question, {}, 0, options, 1.0, {})


@pytest.mark.parametrize("written", [LARGE, "-" + LARGE, "NaN", "Infinity", "true", '"1"'])
def test_what_is_no_number_is_no_answer(written):
    assert answer_of(posed("number"), json.loads(written)) is None
    assert answer_of(posed("bet", ("a", "b")), json.loads(f"[{written}, 1]")) is None


def test_a_bet_of_more_than_can_be_added_up_is_none():
    assert answer_of(posed("bet", ("a", "b")), [1.7e308, 1.7e308]) is None
    assert answer_of(posed("bet", ("a", "b")), [1, 3]) == [0.25, 0.75]
