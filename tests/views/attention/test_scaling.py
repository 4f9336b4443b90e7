"""Why dot products are scaled: the experiment's numbers, its words and its plot."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.scaling import SIZES, saturation
from core.figures.text import number
from core.views import get
from core.views.attention.scaling import ScalingParams


@pytest.fixture(params=[(16, 0), (2, 7), (64, 3)], ids=str)
def shown(request):
    """The view and its record, for a number of keys and a seed."""
    view = get("attention.scaling")
    n_keys, seed = request.param
    record = view.compute([], ScalingParams(n_keys, seed))
    assert record is saturation(n_keys, seed)
    return view, record


def test_the_values_are_those_of_the_experiment(shown):
    view, record = shown
    values = view.values(record)
    assert list(values) == ["entropy_scaled", "entropy_raw", "gradient_scaled", "gradient_raw"]
    for name, one in values.items():
        np.testing.assert_array_equal(one.array, getattr(record, name))
        assert [axis.name for axis in one.axes] == ["d"]
        assert one.axes[0].labels == list(map(str, SIZES))


def test_the_plot_draws_the_values_over_d(shown):
    view, record = shown
    plot, values = view.show(record), view.values(record)
    assert [series.name for series in plot.all] == [one.label for one in values.values()]
    for series, one in zip(plot.all, values.values(), strict=True):
        np.testing.assert_array_equal(series.x, SIZES)
        np.testing.assert_array_equal(series.y, one.array)
        # Bits and gradients have a panel each: one y axis in a plot.
        assert plot.panel_of(series) == int(series.name.startswith("gradient"))
    assert plot.x.log
    assert plot.below[0].y.log
    assert plot.alt == str(view.describe(record))


def test_the_reading_is_of_the_longest_vectors(shown):
    view, record = shown
    said = str(view.describe(record))
    assert f"with {record.n_keys} keys each" in said
    assert f"At d = {SIZES[-1]} the entropy is {number(record.entropy_scaled[-1])} bits" in said
    ratio = float(record.gradient_scaled[-1] / record.gradient_raw[-1])
    assert (
        f"Without scaling, the gradient through the softmax is {number(ratio)} times smaller."
        in said
    )
