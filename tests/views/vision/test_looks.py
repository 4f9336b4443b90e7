"""Where heads look in a picture."""

from __future__ import annotations

import numpy as np
import pytest

from core.samples import sample
from core.tracing import trace_run
from tests.views.records import shown


@pytest.fixture
def weights(digits):
    """Of every layer and head ``(L, H, T, T)``."""
    trace = trace_run(digits["vit"], sample("ours-7").picture)
    return np.stack([trace[f"blocks.{layer}.attn.weights"] for layer in range(2)])


def test_every_tile_has_the_weights_of_its_head(runs, weights):
    view, record = shown(runs, "vision.attention", model="vit", layer="1", head="0")
    np.testing.assert_allclose(view.values(record)["weights"].array, weights, atol=1e-6)
    tiles = view.show(record)
    assert tiles.heat.shape == (4, 50, 7, 7)
    assert tiles.at == 2
    for tile, (layer, head) in enumerate(np.ndindex(2, 2)):
        own = weights[layer, head, 0, 1:].reshape(7, 7)
        np.testing.assert_allclose(tiles.heat[tile, 0] / 255, own / own.max(), atol=0.003)
        assert tiles.tiles[tile].title == f"layer {layer}, head {head}"


def test_the_most_certain_head_is_named(runs, weights):
    view, record = shown(runs, "vision.attention", model="vit", patch="5")
    own = weights[:, :, 5, 1:]
    layer, head, key = np.unravel_index(int(own.argmax()), own.shape)
    row, column = divmod(int(key), 7)
    said = str(view.describe(record))
    assert f"head {head} of layer {layer}" in said
    assert "the patch in row 1, column 5 gives" in said
    assert f"to the patch in row {row + 1}, column {column + 1}." in said


def test_one_head_large_has_a_reading_for_each_patch(runs, weights):
    view, record = shown(runs, "vision.looks", model="vit", layer="1", head="1", patch="9")
    picture = view.show(record)
    np.testing.assert_allclose(picture.heat, weights[1, 1, :, 1:], atol=1e-6)
    assert picture.first == 1
    assert picture.names[0] == "[CLS]"
    assert picture.names[9] == "the patch in row 2, column 2"
    assert len(picture.readings) == 50
    assert str(picture.readings[9]) == str(view.describe(record))
    key = int(weights[1, 1, 9, 1:].argmax())
    row, column = divmod(key, 7)
    assert f"goes to the patch in row {row + 1}, column {column + 1}, with" in str(
        picture.readings[9]
    )
    values = view.values(record)["weights"]
    assert values.selected == (9, int(weights[1, 1, 9].argmax()))
    assert values.site == "blocks.1.attn.weights"


def test_a_link_gets_the_nearest_head_and_patch(runs):
    _view, record = shown(runs, "vision.looks", model="vit", layer="99", head="99", patch="999")
    assert record.place == {"layer": 1, "head": 1, "patch": 49}
