"""Views of one head: what the learner selects is in the link, and a plot says what it shows."""

from __future__ import annotations

import dataclasses

import pytest

from core.analysis.scaling import N_QUERIES
from core.figures.attention import AtHeadScaled, ScalingParams
from core.figures.params import parse
from core.figures.view import ComponentView, all_views, get
from core.runs import Runs

TEXT = "The cat sat on the mat"


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


def header(runs: Runs, name: str, **values: str) -> dict:
    view = get(name)
    assert isinstance(view, ComponentView)
    params, _ = parse(view.Params, {"text": TEXT, "model": "gpt", **values})
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    return view.payload(record).header


@pytest.mark.parametrize("scaling", [0, 1])
def test_what_was_chosen_is_shown_when_the_link_is_opened(runs, scaling):
    found = header(runs, "attention.unscaled", scaling=str(scaling))
    assert found["selection"]["scaling"] == scaling
    assert found["stages"][scaling] == ("divided by √d_head", "not divided")[scaling]
    assert AtHeadScaled().scaling == len(found["stages"]) - 1  # as bars.js opens


def test_every_choice_of_bars_is_kept_in_the_link(runs):
    """Else a reload forgets it, and undo takes back a change that shows nothing."""
    kept = {}
    for name, view in all_views().items():
        if not isinstance(view, ComponentView) or view.component != "bars":
            continue
        model = "bert" if view.needs == "masked" else "gpt"
        found = header(runs, name, model=model)
        if len(found["stages"]) > 1:
            field = found.get("stage_field", "stage")
            kept[name] = field in {one.name for one in dataclasses.fields(view.Params)}
    assert "attention.unscaled" in kept
    assert all(kept.values()), kept


def test_the_experiment_says_its_setting():
    view = get("attention.scaling")
    for n_keys in (2, 16):
        words = str(view.describe(view.compute([], ScalingParams(n_keys=n_keys))))
        assert f"{N_QUERIES} random queries with {n_keys} keys each" in words
        assert "components from N(0, 1)" in words
        assert "Frobenius norm of softmax's Jacobian" in words
