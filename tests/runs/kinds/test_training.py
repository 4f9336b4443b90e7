"""Tiny trainings, asked for and kept."""

from __future__ import annotations

import numpy as np
import pytest

from core.live_training.gradient_flow import gradient_flow
from core.live_training.look_ahead import look_ahead
from core.live_training.records import GradientFlow
from core.runs.kinds.training import GradientRequest, LookAheadRequest
from core.runs.request import Context, job_steps

LONG = "The cat sat on the mat. " * 9


def test_a_gradient_is_that_of_what_fits_of_the_text(runs, gpt):
    for request in (GradientRequest("gpt", LONG), GradientRequest("gpt", LONG, 3, 1)):
        told = runs.get(request)
        text = gpt.fit(LONG)[0]
        expected = GradientFlow.of(list(gradient_flow(gpt, text, request.depth, request.seed)))
        found = GradientFlow.of(told.records)
        for one, other in zip(found.flows, expected.flows, strict=True):
            np.testing.assert_array_equal(one.gradient, other.gradient)
        assert runs.get(request) is told


@pytest.mark.parametrize(
    "request_",
    [GradientRequest("gpt", "a cat"), GradientRequest("transformer", "a cat", 5),
     LookAheadRequest(50), LookAheadRequest(0)],
    ids=repr,
)  # fmt: skip
def test_the_share_grows_to_the_whole_with_the_last_record(runs, request_):
    context = Context(runs.model, runs.get)
    steps = list(job_steps(request_, context))
    shares = [step.share for step in steps]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.5
    assert shares[-1] == (1.0 if request_ != LookAheadRequest(0) else 0.0)
    told = runs.get(request_)
    assert told.state == "finished"
    assert told.share == 1.0
    assert len(told.records) == len(steps)


def test_looking_ahead_needs_no_model(runs, loads):
    told = runs.get(LookAheadRequest(20))
    assert told.records == tuple(look_ahead(20))
    assert runs.get(LookAheadRequest(20)) is told
    assert loads == []
