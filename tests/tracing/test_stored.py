"""A run and a model at a prompt, and a run that is stored: a line, and no weights."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from core.errors import NoWeightsError
from core.tracing.run import trace_run


@pytest.fixture
def trace(machine):
    from tests.conftest import GIVEN

    return trace_run(machine, GIVEN[machine.architecture])


def test_each_is_a_line_at_a_prompt(machine, trace):
    for one in (machine, trace):
        said = repr(one)
        assert machine.id in said
        assert len(said) < 300
        assert "\n" not in said


def test_a_stored_run_has_all_but_the_weights(trace):
    found = pickle.loads(pickle.dumps(trace))
    assert copy.copy(trace) is trace
    assert list(found) == list(trace)
    for name, array in trace.items():
        np.testing.assert_array_equal(found[name], array)
    assert found.streams == trace.streams
    assert found.blueprint == trace.blueprint
    assert len(found.weights) == 0
    with pytest.raises(NoWeightsError, match=trace.model):
        found.weights["embed"]


def test_its_size_is_that_of_its_arrays(trace):
    arrays = sum(array.nbytes for array in trace.arrays.values())
    weights = sum(trace.weights[name].nbytes for name in trace.weights)
    stored = len(pickle.dumps(trace))
    around = 40_000 + 400 * len(trace.catalogue)  # its blueprint, its sites and masks
    assert stored < arrays + around
    assert stored < arrays + weights or weights < around
