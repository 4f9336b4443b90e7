"""The stations of a run that is told as a story: what their sentences count."""

from __future__ import annotations

import pytest

from core import views
from core.runs.store import Runs
from core.views.map.flow import captions, resting
from core.views.map.story import FlowParams, FlowRun

VIEW = views.get("map.flow")


@pytest.fixture(scope="module")
def runs() -> Runs:
    return Runs()


def record(runs: Runs, **changed: str) -> FlowRun:
    params = FlowParams(model="gpt", **changed)  # of the shelf: attention rests in what has learned
    return VIEW.compute([runs.get(one, "cpu") for one in VIEW.requests(params)], params)


def test_how_much_attention_rests_is_of_the_text_whatever_is_written_behind_it(runs):
    plain, warm = record(runs), record(runs, off="temperature2")
    assert (plain.onward.n_written, warm.onward.n_written) == (1, 0)
    assert "of all attention goes to ⟨start⟩" in resting(plain)
    assert resting(warm) == resting(plain)


def test_a_head_is_told_in_three_sentences_where_one_is_gone_into(runs):
    inside = {"asks", "fits", "takes"}
    assert inside <= captions(record(runs), zooms=True).keys()
    assert not inside & captions(record(runs), zooms=False).keys()


@pytest.mark.parametrize("model", ["gpt", "bert", "transformer", "t5", "rnn"])
def test_there_are_eight_stations_at_most_and_a_head_is_one_of_them(runs, model):
    params = FlowParams(model=model)
    run = VIEW.compute([runs.get(one, "cpu") for one in VIEW.requests(params)], params)
    assert 4 <= len(captions(run, zooms=False)) + 1 <= 8
