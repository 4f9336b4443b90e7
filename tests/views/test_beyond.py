"""A model's own continuations, weighed by what they are worth; and how marks are learned."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core import views
from core.data.preferences import PREFERENCES
from core.errors import EmptyInputError
from core.live_training.liked import Liking
from core.live_training.liking import STEPS as LEARNED_IN
from core.live_training.liking import liking
from core.runs.kinds.preferences import SampledTextsRequest
from core.views.beyond import STEPS, Judging, PreferenceProgress, Preferring, Weighing
from tests.views.records import shown


def test_the_points_are_those_of_the_continuations(runs):
    view, record = shown(runs, "beyond.best", liked_text="a cat", preference="short")
    drawn = runs.get(SampledTextsRequest("gpt", "a cat"))
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


@pytest.fixture(scope="module")
def few(gpt) -> tuple:
    told = [one for _share, one in liking(gpt, "short", 0.1, steps=6) if one is not None]
    last = dataclasses.replace(told[-1], rewards=told[0].rewards + 1.0)
    return (*told[:-1], last)


def watched(few: tuple, n: int, **more: str) -> PreferenceProgress:
    params = Preferring(preferring=True, preference="short", **more)
    return PreferenceProgress(params, Liking(few[:n]), Liking(few) if params.other else None)


def test_it_opens_on_the_start_and_a_click_trains_it(runs):
    view, record = shown(runs, "beyond.learning")
    assert record.training.last.steps == 0
    assert "Before training" in str(view.describe(record))
    (asked,) = view.requests(Preferring())
    assert asked.steps == 0
    (asked,) = view.requests(Preferring(preferring=True))
    assert asked.steps == STEPS == LEARNED_IN


def test_two_trainings_differ_in_one_thing():
    view = views.get("beyond.learning")
    for against, name in (("free", "beta"), ("tight", "beta"), ("seed", "seed")):
        params = Preferring(preferring=True, against=against)
        (asked,) = view.requests(params)
        before, after = map(dataclasses.asdict, asked.penalties)
        assert [one for one in before if before[one] != after[one]] == [name]
        assert views.get("beyond.after").requests(params) == (asked,)
    same = Preferring(against="free", beta="0")
    assert len(view.requests(same)[0].penalties) == 1


def test_a_change_says_what_it_may_be_by_chance(few):
    view = views.get("beyond.learning")
    assert "may be chance" not in str(view.describe(watched(few, len(few))))
    moved = np.where(np.arange(40) % 2, 1.0, -1.0)
    last = dataclasses.replace(few[-1], rewards=few[0].rewards + moved)
    assert "may be chance" in str(view.describe(watched((*few[:-1], last), len(few))))
    both = watched(few, len(few), against="free")
    assert {"reward", "other_reward"} <= set(view.values(both))
    assert "With “no penalty (β = 0)”" in str(view.describe(both))


def test_it_is_said_when_a_text_repeats_itself(few):
    view = views.get("beyond.learning")
    assert "reward hacking" not in str(view.describe(watched(few, len(few))))
    last = dataclasses.replace(few[-1], words=0.1)
    assert "reward hacking" in str(view.describe(watched((*few[:-1], last), len(few))))


def test_the_gain_is_that_of_each_prompt(few):
    view, record = views.get("beyond.frontier"), watched(few, len(few))
    assert record.training.gain.value == pytest.approx(1)
    assert record.training.gain.off == pytest.approx(0)
    assert "gained 1.0 points" in str(view.describe(record))
    assert view.values(record)["kl"].array[0] == pytest.approx(0)


def test_tokens_that_brought_points_carry_them(few):
    for name, one in (("beyond.before", few[0]), ("beyond.after", few[-1])):
        view = views.get(name)
        for n in range(8):
            record = watched(few, len(few), liked_sample=n)
            strip, sample = view.show(record), one.samples[n]
            brought = np.nan_to_num(strip.heat)
            assert brought.sum() == pytest.approx(sum(sample.points), abs=1e-6)
            assert not brought[: len(sample.prompt)].any()
            assert view.values(record)["reward"].value == sum(sample.points)
