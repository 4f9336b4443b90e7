"""A training that is watched: as it begins, after some steps, and another one beside it."""

from __future__ import annotations

import dataclasses

import pytest

from core import views
from core.live_training.practice import practice
from core.live_training.practised import Practice
from core.views.learning.practice import STEPS, PracticeProgress, Practising
from tests.views.records import shown


@pytest.fixture(scope="module")
def few() -> tuple:
    return tuple(practice("reverse", warmup=10, steps=40))


def watched(few: tuple, n: int, **more: str) -> PracticeProgress:
    params = Practising(practising=True, **more)
    return PracticeProgress(params, Practice(few[:n]), Practice(few) if params.other else None)


def test_it_opens_on_the_untrained_model_and_a_click_trains_it(runs):
    view, record = shown(runs, "learning.practice")
    assert record.training.last.steps == 0
    assert "Before the first step" in str(view.describe(record))
    (asked,) = view.requests(Practising())
    assert asked.steps == 0
    (asked,) = view.requests(Practising(practising=True))
    assert asked.steps == STEPS


def test_two_trainings_differ_in_one_thing(few):
    view = views.get("learning.practice")
    for beside in ("rate", "warmup", "smoothing", "seed"):
        params = Practising(practising=True, beside=beside)
        (asked,) = view.requests(params)
        before, after = map(dataclasses.asdict, asked.ways)
        assert [name for name in before if before[name] != after[name]] == [beside]
        assert views.get("learning.looks").requests(params) == (asked,)
    same = Practising(practising=True, beside="warmup", practice_warmup=1)
    assert len(view.requests(same)[0].ways) == 1


def test_two_trainings_take_turns(runs):
    view = views.get("learning.practice")
    params = Practising(beside="seed")
    record = view.compute([runs.get(one) for one in view.requests(params)], params)
    assert record.other.last.step == record.training.last.step == 0
    assert record.other.last.unseen != record.training.last.unseen


def test_the_curves_grow_within_the_same_axes(few):
    view = views.get("learning.practice")
    first, whole = (view.show(watched(few, n)) for n in (1, len(few)))
    assert first.x.range == whole.x.range == (0, 40)
    assert len(first.series[0].x) == 1
    assert len(whole.series[0].x) == len(few)
    both = watched(few, 2, beside="rate")
    assert {"loss", "other_loss"} <= set(view.values(both))
    assert "With “ten times the learning rate”" in str(view.describe(both))


def test_samples_are_marked_symbol_by_symbol(few):
    view, record = views.get("learning.samples"), watched(few, len(few))
    last = record.training.last
    right = sum(a == b for one, other in zip(last.wanted, last.written, strict=True)
                for a, b in zip(one, other, strict=True))  # fmt: skip
    cells = view.show(record).arrays["kinds"]
    assert (cells == 2).sum() == right
    assert f" {right} of the 33 symbols" in str(view.describe(record))


def test_a_head_is_drawn_as_it_was(few):
    view = views.get("learning.looks")
    record = watched(few, len(few), practice_head=2)
    drawn = view.show(record).arrays["weights"]
    assert (drawn == record.training.last.weights[2]).all()


def test_it_is_said_when_a_model_learns_by_heart(few):
    view = views.get("learning.practice")
    rising = [dataclasses.replace(few[-1], unseen=loss) for loss in (4.0, 1.0, 2.0)]
    assert "learns by heart" in str(view.describe(watched(rising, 3)))
    assert "learns by heart" not in str(view.describe(watched(few, len(few))))
