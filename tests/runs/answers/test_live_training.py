"""Tiny trainings, asked for and kept."""

from __future__ import annotations

import numpy as np

from core.live_training.gradient_flow import gradient_flow
from core.live_training.look_ahead import look_ahead
from core.runs.requests import GradientRequest, LookAheadRequest

LONG = "The cat sat on the mat. " * 9


def test_a_gradient_is_that_of_what_fits_of_the_text(runs, gpt):
    for request in (GradientRequest("gpt", LONG), GradientRequest("gpt", LONG, 3, 1)):
        found = runs.get(request)
        expected = gradient_flow(gpt, gpt.fit(LONG)[0], request.depth, request.seed)
        for one, other in zip(found.flows, expected.flows, strict=True):
            np.testing.assert_array_equal(one.gradient, other.gradient)
        assert runs.get(request) is found
        assert found.nbytes > 0


def test_looking_ahead_needs_no_model(runs, loads):
    found = runs.get(LookAheadRequest(20))
    expected = look_ahead(20)
    np.testing.assert_array_equal(found.causal.seen, expected.causal.seen)
    np.testing.assert_array_equal(found.unmasked.unseen, expected.unmasked.unseen)
    assert runs.get(LookAheadRequest(20)) is found
    assert loads == []
