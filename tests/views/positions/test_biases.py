"""A bias for each distance: its steps, and a head's weights with it and without."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import softmax
from tests.views.records import shown

GIVEN = {"model": "filler", "text": "The cat sat on the mat", "layer": "1", "head": "1"}


@pytest.mark.parametrize(("stack", "later"), [("encoder", True), ("decoder", False)])
def test_a_step_is_a_bucket_and_masked_distances_are_left_out(runs, stack, later):
    view, record = shown(runs, "positions.bias", model="filler", attention=stack)
    assert (record.distances.max() > 0) == later
    component = view.show(record)
    assert len(component.panels) == len(record.values)
    for x in record.borders:
        before, after = np.searchsorted(record.distances, [x - 0.5, x + 0.5])
        assert record.buckets[before] != record.buckets[after]
    for bucket in set(record.buckets.tolist()):  # within a step all is one number
        assert np.ptp(record.values[:, record.buckets == bucket], axis=1).max() == 0
    assert len(record.borders) + 1 == len(set(record.buckets.tolist()))
    # Ranges get wider: the last has more distances than the one beside the query.
    widths = np.bincount(record.buckets)
    assert widths[record.buckets[0]] > widths[record.buckets[record.distances == -1][0]]


def test_a_toy_with_a_bias_is_shown_as_well(runs, filler, relative):
    from core.runs.store import Runs

    toys = Runs(load=lambda _name, _device: relative)
    view, record = shown(toys, "positions.bias", model="relative")
    assert record.distances.max() == 0
    assert str(view.describe(record))


@pytest.mark.parametrize("attention", ["encoder", "decoder"])
def test_without_the_bias_the_softmax_is_of_the_dot_products_alone(runs, attention):
    view, record = shown(runs, "positions.unbiased", **GIVEN, attention=attention)
    run = record.run
    np.testing.assert_allclose(record.without, softmax(run("dots"), run.mask), atol=1e-6)
    np.testing.assert_allclose(
        softmax(run("dots") + record.bias, run.mask), run("weights"), atol=1e-6
    )
    apart = np.abs(record.without - run("weights")).sum(axis=1) / 2
    assert apart.max() > 1e-4
    np.testing.assert_allclose(record.moved, apart, atol=1e-6)
    values = view.values(record)
    assert values["moved_mean"].array == pytest.approx(apart.mean(), abs=1e-6)
    assert (values["unbiased"].array[~run.mask] == 0).all()


def test_nothing_is_added_across(runs):
    view, record = shown(runs, "positions.added", **GIVEN, attention="cross")
    assert (record.bias == 0).all()
    assert record.moved.max() < 1e-6
    assert "Nothing is added" in str(view.describe(record))


def test_a_bias_is_the_same_along_each_diagonal(runs):
    _view, record = shown(runs, "positions.added", **GIVEN, attention="encoder")
    for distance in range(1 - len(record.bias), len(record.bias)):
        assert np.ptp(np.diagonal(record.bias, distance)) == 0
    assert len(np.unique(record.bias)) > 3
