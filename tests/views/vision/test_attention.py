"""Where heads look in a picture, how far, and which positions are alike."""

from __future__ import annotations

import dataclasses
from unittest.mock import Mock

import numpy as np
import pytest

from core.analysis.patches import attention_distance, distance_within, rollout
from core.data.samples import sample
from core.errors import ParameterError
from core.figures.text import percent
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
    assert tiles.tile == 2
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


@pytest.fixture
def trace(digits):
    return trace_run(digits["vit"], sample("ours-7").picture)


def test_rollout_of_one_layer_is_half_of_its_mean_head():
    weights = np.array([[[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]]])
    np.testing.assert_allclose(rollout(weights), [[[0.75, 0.25], [0.25, 0.75]]])


def test_rollout_multiplies_the_layers_the_last_from_the_left():
    first, last = np.array([[0.2, 0.8], [1.0, 0.0]]), np.array([[0.0, 1.0], [0.6, 0.4]])
    found = rollout(np.stack([first, last])[:, None])
    half = np.eye(2) / 2
    np.testing.assert_allclose(found[1], (last / 2 + half) @ (first / 2 + half))
    np.testing.assert_allclose(found.sum(axis=-1), 1.0)


def test_a_head_that_looks_at_itself_looks_nowhere_and_at_its_neighbour_one_patch_far():
    itself, neighbour = np.eye(4), np.eye(4)[[1, 0, 3, 2]]
    weights = np.stack([itself, neighbour])[None] * 0.3  # the rest of it goes to the mark
    np.testing.assert_allclose(attention_distance(weights, columns=2, size=7), [[0.0, 7.0]])


def test_even_attention_in_two_by_two_is_the_mean_of_all_distances():
    found = attention_distance(np.full((1, 1, 4, 4), 0.25), columns=2, size=1)
    np.testing.assert_allclose(found, [[(1 + 1 + 2**0.5) / 4]])


def test_the_tiles_are_the_rollout_of_the_run(runs, trace):
    view, record = shown(runs, "vision.rollout", model="vit", patch="3", layer="1")
    weights = np.stack([trace[f"blocks.{layer}.attn.weights"] for layer in range(2)])
    expected = rollout(weights)
    np.testing.assert_allclose(view.values(record)["flow"].array, expected, atol=1e-6)
    tiles = view.show(record)
    own = expected[1, 3, 1:].reshape(7, 7)
    np.testing.assert_allclose(tiles.heat[1, 3] / 255, own / own.max(), atol=0.003)
    assert tiles.tile == 1
    said = str(view.describe(record))
    assert percent(expected[1, 3, 1:].sum()) in said
    assert percent(own.max()) in said


def test_the_distances_stand_beside_the_reach_of_the_other_model(runs, trace):
    view, record = shown(runs, "vision.distance", model="vit", convolutional="cnn")
    weights = np.stack([trace[f"blocks.{layer}.attn.weights"] for layer in range(2)])
    expected = attention_distance(weights[:, :, 1:, 1:], columns=7, size=4)
    values = view.values(record)
    np.testing.assert_allclose(values["distance"].array, expected, rtol=1e-5)
    assert values["reach"].array.tolist() == [3, 5, 10]
    alone = shown(runs, "vision.distance", model="vit")[1]
    assert "reach" not in view.values(alone)
    assert len(view.show(alone).series) == len(view.show(record).series) - 1


def test_two_models_stand_beside_each_other_on_one_picture(runs):
    view, record = shown(runs, "vision.beside", model="vit", convolutional="cnn")
    found = view.values(record)["probability"]
    for n, model in enumerate(("vit", "cnn")):
        own = shown(runs, "vision.answer", model=model)
        np.testing.assert_allclose(found.array[n], own[0].values(own[1])["probability"].array)
    bars = view.show(record)
    assert bars.values.shape == (1, 2, 10)
    assert [one.label for one in bars.series] == list(found.axes[0].labels)
    alone = shown(runs, "vision.beside", model="vit")
    assert alone[0].values(alone[1])["probability"].array.shape == (1, 10)


def test_models_of_other_labels_are_refused(runs):
    view, record = shown(runs, "vision.beside", model="vit", convolutional="cnn")
    first = Mock(trace=record.seen[0].trace)
    labels = tuple("abcdefghij")
    other = Mock()
    other.trace.blueprint.classifier = dataclasses.replace(record.seen[0].head, labels=labels)
    with pytest.raises(ParameterError, match="the same labels"):
        view.compute([first, other], view.Params(convolutional="cnn"))


def test_positions_are_compared_without_the_mark(runs, digits):
    view, record = shown(runs, "vision.places", model="vit")
    table = digits["vit"].model.embed.positions.weight[1:].numpy()
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    np.testing.assert_allclose(view.values(record)["cosine"].array, unit @ unit.T, atol=1e-5)
    tiles = view.show(record)
    assert tiles.pictures.shape == (49, 7, 7)
    assert tiles.pictures[10].argmax() == 10  # itself


def test_the_reach_of_kernels_is_drawn_in_the_measure_of_the_heads(runs):
    """A width and a mean distance on one axis would cross where nothing crosses."""
    assert distance_within(1) == 0.0
    assert distance_within(2) == pytest.approx(0.5**0.5)
    assert distance_within(3) == pytest.approx((4 + 4 * 2**0.5) / 9)
    view, record = shown(runs, "vision.distance", model="vit", convolutional="cnn")
    drawn = {one.role: one for one in view.show(record).series}
    assert list(drawn["accent"].y) == [distance_within(side) for side in (3, 5, 10)]
    places = np.stack(np.divmod(np.arange(49), 7), axis=-1) * 4.0
    even = np.linalg.norm(places[:, None] - places[None], axis=-1).mean()
    assert list(drawn["muted"].y) == pytest.approx([even, even])
