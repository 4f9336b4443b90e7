"""Labels of one text and of two, heads on every layer, and three ways to learn one."""

from __future__ import annotations

import numpy as np
import pytest

from core import views
from core.analysis.distributions import softmax
from core.errors import EmptyInputError, LinesError
from core.live_training.records import WAYS, Cuts
from core.runs.kinds.training import FineTuneRequest
from core.runs.progress import JobProgress
from core.views.tune import Cutting, LayerHeads, Training
from tests.views.records import record_of, shown, written

LINES = "a: the cat sat\nb: a dog\na: the cat\nb: the dog\na: cat\nb: dog\n?: the mat"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tune.text", {"model": "teller", "text": "the cat"}),
        ("tune.pair", {"model": "sorter", "premise": "the cat", "hypothesis": "a dog"}),
    ],
)
def test_a_label_has_the_share_that_its_logit_gives_it(runs, name, values):
    view, record = shown(runs, name, **values)
    shares = view.values(record)["probability"]
    np.testing.assert_allclose(shares.array, softmax(view.values(record)["logit"].array))
    best = ("a", "b", "c")[int(shares.array.argmax())]
    assert f"chooses “{best}”" in str(view.describe(record))
    assert {"a", "b", "c"} <= set(written(view, record))


def test_a_pair_is_read_as_two_segments(runs):
    _view, one = shown(runs, "tune.pair", model="sorter", premise="the cat", hypothesis="a dog")
    _view, other = shown(runs, "tune.pair", model="sorter", premise="a dog", hypothesis="the cat")
    assert [unit.label for unit in one.run.trace.units].count("[SEP]") == 2
    assert not np.array_equal(one.shares, other.shares)


@pytest.mark.parametrize("pair", [("", ""), ("the cat", " "), ("", "a dog")])
def test_half_a_pair_is_not_judged(runs, pair):
    with pytest.raises(EmptyInputError):
        shown(runs, "tune.pair", model="sorter", premise=pair[0], hypothesis=pair[1])


def test_cuts_that_do_equally_well_are_all_named():
    def said(*held: float) -> str:
        found = Cuts(("a", "b"), 2, 4, np.ones(3), np.array(held), np.ones((3, 2)) / 2)
        return str(
            views.get("tune.layers").describe(LayerHeads(found, Cutting(cut_layers=1)))
        ).replace("\N{NO-BREAK SPACE}", " ")

    assert "the best cut is after 1, with 100 %" in said(0.5, 1.0, 0.75)
    assert "the best cuts are after 0, 2, with 75 % each" in said(0.75, 0.5, 0.75)
    assert "every cut does as well" in said(0.5, 0.5, 0.5)


def test_the_cut_that_is_looked_at_is_selected_and_stays_within_the_model(runs):
    view, record = shown(runs, "tune.layers", model="bert", lines=LINES, cut_layers="1")
    held = view.values(record)["held"]
    assert held.selected == (1,)
    assert held.array.shape == (3,)
    assert "After 1 layer a linear head" in str(view.describe(record))
    assert shown(runs, "tune.layers", model="bert", lines=LINES, cut_layers="99")[1].n_kept == 2
    said = views.get("tune.said").values(record)["probability"]
    assert said.array.shape == (3, 2)
    assert said.selected is not None
    assert said.selected[0] == 1


def test_lines_that_cannot_be_read_are_the_learners_error(runs):
    for name in ("tune.layers", "tune.said", "tune.learning", "tune.asked"):
        with pytest.raises(LinesError, match="Line 2 is not a label"):
            record_of(views.get(name), runs, model="bert", lines="a: b\nc")


def test_three_ways_stand_side_by_side_when_all_have_learned(runs):
    view, record = shown(runs, "tune.learning", model="bert", lines=LINES, learns="scratch")
    values = view.values(record)
    assert set(values) == {
        f"{way}_{what}" for way in ("frozen", "whole", "scratch")
        for what in ("loss", "train", "held")
    }  # fmt: skip
    assert len(view.show(record).figure("light").data) == 6
    beside = views.get("tune.asked")
    right = beside.values(record)["right"].array
    assert right.shape == (3, 2)
    assert right[1, 1] == values["whole_held"].array[-1]
    assert beside.values(record)["probability"].array.shape == (3, 1, 2)
    assert any("the mat" in line for line in written(beside, record))


def test_while_it_learns_it_says_how_far_it_is(runs):
    """The first records of the job: what has not begun has no number."""
    told = runs.get(FineTuneRequest("bert", LINES, "mean", WAYS))
    params = Training(model="bert", lines=LINES, learns="scratch")
    for name in ("tune.learning", "tune.asked"):
        view = views.get(name)
        record = view.compute([JobProgress(told.records[:2], "running", share=0.1)], params)
        assert view.show(record).drawing("light").startswith("<svg")
        if name == "tune.learning":
            assert "after step 2 the loss" in str(view.describe(record))
            assert set(view.values(record)) == {"frozen_loss", "frozen_train", "frozen_held"}
        else:
            assert np.isnan(view.values(record)["right"].array[1:]).all()


def test_the_head_alone_is_compared_with_nothing(runs):
    view, record = shown(runs, "tune.learning", model="bert", lines=LINES)
    assert set(view.values(record)) == {"frozen_loss", "frozen_train", "frozen_held"}
    assert "whole model" not in str(view.describe(record))
    assert views.get("tune.asked").values(record)["right"].array.shape == (1, 2)
