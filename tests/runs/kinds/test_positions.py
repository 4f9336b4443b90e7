"""Ways to tell a model the order of its tokens: the numbers of the layers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import AbilityError, ParameterError
from core.nn.positions import relative_buckets
from core.runs.kinds.positions import BiasRequest, PositionsRequest
from core.runs.store import Runs


def test_positions_are_those_of_the_layers(runs):
    table = runs.get(PositionsRequest("sinusoidal", 6, 8)).values
    for pos in range(6):
        for i in range(4):
            assert table[pos, 2 * i] == pytest.approx(np.sin(pos / 10000 ** (2 * i / 8)), abs=1e-6)
            assert table[pos, 2 * i + 1] == pytest.approx(
                np.cos(pos / 10000 ** (2 * i / 8)), abs=1e-6
            )
    assert runs.get(PositionsRequest("binary", 4, 2)).values.tolist() == [
        [0, 0], [0, 1], [1, 0], [1, 1],
    ]  # fmt: skip
    turned = runs.get(PositionsRequest("rotary", 3, 4)).values
    # A vector of ones: pair i at position p becomes (cos - sin, sin + cos) of p · 10000^(-2i / 4).
    for p in range(3):
        for i in range(2):
            angle = p * 10000 ** (-2 * i / 4)
            assert turned[p, 2 * i] == pytest.approx(np.cos(angle) - np.sin(angle), abs=1e-6)
            assert turned[p, 2 * i + 1] == pytest.approx(np.sin(angle) + np.cos(angle), abs=1e-6)
    buckets = runs.get(PositionsRequest("relative", 200, 32)).values
    for relative in (-199, -8, -1, 0, 1, 9, 199):
        expected = relative_buckets(torch.tensor(relative), 32)
        assert buckets[relative + 199] == int(expected)


@pytest.mark.parametrize("kind", ["sinusoidal", "binary", "rotary", "relative"])
@pytest.mark.parametrize(("n", "width"), [(4, -2), (4, 0), (4, 1), (4, 3), (0, 4), (-3, 4)])
def test_positions_of_impossible_sizes_are_an_error(runs, kind, n, width):
    if kind == "binary" and n > 0 and width > 1:
        assert runs.get(PositionsRequest(kind, n, width)).values.shape == (n, width)
        return
    with pytest.raises(ParameterError, match=r"it must be (an even|at least|between|enough)"):
        runs.get(PositionsRequest(kind, n, width))


def test_positions_need_no_model(runs, loads):
    table = runs.get(PositionsRequest("sinusoidal", 50, 8))
    assert table.values.shape == (50, 8)
    assert runs.get(PositionsRequest("sinusoidal", 50, 8)) is table
    assert loads == []


@pytest.fixture(scope="module")
def biased(filler, mender) -> Runs:
    models = {"filler": filler, "mender": mender}
    return Runs(load=lambda name, _device: models[name])


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_a_bias_is_what_the_layer_adds_at_each_distance(biased, filler, stack):
    found = biased.get(BiasRequest("filler", stack))
    layer = getattr(filler.model, stack).relative
    n = (len(found.distances) + 1) // 2
    whole = layer(n, n)[0].numpy()
    for query, key in ((n - 1, 0), (0, n - 1), (3, 1), (1, 4), (2, 2)):
        at = list(found.distances).index(key - query)
        np.testing.assert_allclose(found.values[:, at], whole[:, query, key], rtol=1e-6)
        assert (layer.table.weight[found.buckets[at]].numpy() == whole[:, query, key]).all()
    assert found.bidirectional == (stack == "encoder")
    last = found.buckets[found.distances <= -found.furthest]
    assert len(set(last.tolist())) == 1
    before = found.buckets[found.distances == 1 - found.furthest]
    assert before[0] != last[0]


def test_a_stack_without_a_bias_is_the_users_error(biased):
    with pytest.raises(AbilityError, match="no relative position bias"):
        biased.get(BiasRequest("mender"))
