"""What each kernel finds in a picture."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.samples import sample
from core.tracing import trace_run
from tests.views.records import shown


@pytest.mark.parametrize(("layer", "side", "reach"), [(0, 28, 3), (1, 28, 5), (2, 14, 10)])
def test_the_maps_are_those_of_the_run(runs, digits, layer, side, reach):
    view, record = shown(runs, "vision.maps", model="cnn", convolution=str(layer), kernel="1")
    maps = trace_run(digits["cnn"], sample("ours-7").picture)[f"convolutions.{layer}.maps"]
    values = view.values(record)["maps"]
    np.testing.assert_allclose(values.array, maps, atol=1e-6)
    assert values.value == pytest.approx(maps[1].max(), abs=1e-6)
    tiles = view.show(record)
    assert tiles.pictures.shape == (len(maps), side, side)
    np.testing.assert_allclose(tiles.pictures / 255 * maps.max(), maps, atol=maps.max() / 500)
    assert tiles.tile == 1
    said = str(view.describe(record))
    assert f"{len(maps)} kernels" in said
    assert f"{side} × {side} numbers" in said
    assert f"{reach} × {reach} pixels" in said


def test_a_link_gets_the_nearest_convolution(runs):
    _view, record = shown(runs, "vision.maps", model="cnn", convolution="200", kernel="999")
    assert (record.layer, record.kernel) == (2, 3)
