"""A training on a preference that is watched: as it begins, after some steps, and one beside it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core import views
from core.live_training.liked import Liking
from core.live_training.liking import STEPS as LEARNED_IN
from core.live_training.liking import liking
from core.views.beyond.preferring import STEPS, Preferring, Watched
from tests.views.records import shown


@pytest.fixture(scope="module")
def few(gpt) -> tuple:
    told = [one for _share, one in liking(gpt, "short", 0.1, steps=6) if one is not None]
    last = dataclasses.replace(told[-1], rewards=told[0].rewards + 1.0)
    return (*told[:-1], last)


def watched(few: tuple, n: int, **more: str) -> Watched:
    params = Preferring(preferring=True, preference="short", **more)
    return Watched(params, Liking(few[:n]), Liking(few) if params.other else None)


def test_it_opens_on_the_start_and_a_click_trains_it(runs):
    view, record = shown(runs, "beyond.learning")
    assert record.own.last.steps == 0
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
        before, after = map(dataclasses.asdict, asked.leashes)
        assert [one for one in before if before[one] != after[one]] == [name]
        assert views.get("beyond.after").requests(params) == (asked,)
    same = Preferring(against="free", beta="0")
    assert len(view.requests(same)[0].leashes) == 1


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
    assert record.own.gain.value == pytest.approx(1)
    assert record.own.gain.off == pytest.approx(0)
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
