"""How a hole in a lesson's text is filled."""

from __future__ import annotations

import numpy as np
import pytest

from core.lessons.filling import fill, holes, numbers_in, written


@pytest.mark.parametrize(
    ("value", "way", "said"),
    [
        (0.322, "", "0.322"), (0.322, ".2", "0.32"), (0.0049, ".2", "0.00"), (-0.001, ".1", "0.0"),
        (1.0, ".1", "1.0"), (70.71, ".1", "70.7"), (-20.75, "exact", "−20.75"),
        (16.0, "exact", "16.0"), (-1.005, ".2", "−1.00"),
        (12345.678, ".1", "12,345.7"), (float("nan"), ".2", "–"), (float("inf"), ".2", "∞"),
        (0.5, "%", "50 %"), (3.0, "whole", "3"), ("a", "word", "“a”"),
    ],
)  # fmt: skip
def test_a_value_is_written_as_it_was_asked_for(value, way, said):
    assert written(value, way) == said


def test_a_hole_is_explained_but_in_a_formula_or_in_code():
    text = "{{a}} is $x = {{a}}$ and `{{a}}` {{? a > 0}}, {{a | .1}}"
    said = fill(text, {"a": 2}, explain=lambda hole, shown: f"<{hole}:{shown}>")
    assert said == "<a:2> is $x = 2$ and `2`, <a | .1:2.0>"
    assert list(holes(text)) == ["a", "a", "a", "a | .1"]


def test_a_check_leaves_no_trace_in_the_text():
    text = "One. {{? 1 > 0}} Two,\n{{? 2 > 1}}\nthree {{? 3 > 2}}.\n\n{{? 4 > 3}} Four."
    assert fill(text, {}) == "One. Two,\nthree.\n\nFour."


def test_the_numbers_of_a_text_are_offered_once_each_as_they_are_written():
    names = {"row": np.array([0.5, -2.25, 0.5]), "share": 0.25, "n": 7, "word": "dog"}
    text = "{{row | list}}, {{share | %}}, {{n}}, {{word | word}}, {{? n > 3}}, {{n + 0}}"
    assert list(numbers_in(text, names)) == ["0.500", "−2.25", "25 %", "7"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("0.5 × {{x}}", "0.5 × (−2)"), ("{{y}} · {{x}} + {{x}}", "3 · (−2) + (−2)"),
     ("from {{x}} to {{y}}", "from −2 to 3"), ("x = {{x}}", "x = −2"), ("e^{{x}}", "e^−2")],
)  # fmt: skip
def test_a_negative_number_after_a_sign_stands_in_parentheses(text, said):
    assert fill(text, {"x": -2, "y": 3}) == said
