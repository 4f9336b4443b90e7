"""A model's own continuations, weighed by what they are worth; and how marks are learned."""

from __future__ import annotations

import numpy as np
import pytest

from core import views
from core.errors import EmptyInputError
from core.preferences import PREFERENCES
from core.runs.requests import DrawnRequest
from core.views.beyond.best import Weighing
from core.views.beyond.judged import Judging
from tests.views.records import shown


def test_the_points_are_those_of_the_continuations(runs):
    view, record = shown(runs, "beyond.best", liked_text="a cat", preference="short")
    drawn = runs.get(DrawnRequest("gpt", "a cat"))
    assert record.drawn is drawn
    assert drawn.text.strip() == "a cat"
    assert len(drawn.texts) == 48
    count = [PREFERENCES["short"].points(text) for text in drawn.texts]
    values = view.values(record)
    np.testing.assert_array_equal(values["points"].array, count)
    assert values["at_start"].value == pytest.approx(np.mean(count))
    assert values["liked"].value == np.mean(np.array(count) > 0)


def test_a_text_that_is_empty_is_not_replaced_by_another_one(runs):
    for text in ("", " "):
        with pytest.raises(EmptyInputError):
            shown(runs, "beyond.best", liked_text=text)


def test_a_smaller_price_goes_further_for_more():
    view, drawn = views.get("beyond.best"), type("Drawn", (), {"texts": (" a.", " a. b.", " c")})()
    dear, cheap = (
        view.values(view.compute([drawn], Weighing(preference="short", best_beta=beta)))
        for beta in ("3", "0.1")
    )
    assert cheap["reward"].value > dear["reward"].value > cheap["at_start"].value == 1
    assert cheap["kl"].value > dear["kl"].value > 0
    assert cheap["kl"].value < np.log(3)


def test_where_nothing_is_liked_it_is_said():
    view, drawn = views.get("beyond.best"), type("Drawn", (), {"texts": (" a", " b")})()
    record = view.compute([drawn], Weighing(preference="animals"))
    assert "there is nothing to learn from" in str(view.describe(record))


def test_the_marks_decide_how_often_an_answer_is_preferred():
    view = views.get("beyond.judged")
    values = view.values(Judging(mark_a=1.5, mark_b=-0.5))
    assert values["probability"].value == pytest.approx(1 / (1 + np.exp(-2)))
    assert values["loss"].value == pytest.approx(np.log1p(np.exp(-2)))
    assert "σ(1.5 − (−0.5)) = σ(2.0) = 88 %" in str(view.describe(Judging(1.5, -0.5)))
