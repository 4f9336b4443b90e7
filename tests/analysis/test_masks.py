"""What a mask lets through, by hand and against slow loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.analysis.masks import hops, leaks, next_stops, share_kept, way

# Lecture 002: queries and keys [BEGIN] John kicked the.
SCORES = np.array([[10, -2, 6, 3], [0, 7, 2, -4], [-3, 4, 5, -8], [2, 1, 7, 6]], np.float32)
CAUSAL = np.tril(np.ones((4, 4), bool))


def window(n: int, width: int) -> np.ndarray:
    return np.array([[i - width < j <= i for j in range(n)] for i in range(n)])


def test_the_lectures_example_has_these_weights_and_zeros_where_it_is_masked():
    weights = softmax(SCORES, CAUSAL)
    expected = [
        [1.000, 0.000, 0.000, 0.000],
        [0.001, 0.999, 0.000, 0.000],
        [0.000, 0.269, 0.731, 0.000],
        [0.005, 0.002, 0.726, 0.267],
    ]
    np.testing.assert_allclose(weights, expected, atol=5e-4)
    assert np.all(weights[~CAUSAL] == 0)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)


def test_a_row_by_hand():
    # e^-3, e^4, e^5 over their sum.
    powers = np.exp([-3.0, 4.0, 5.0])
    np.testing.assert_allclose(softmax(SCORES, CAUSAL)[2, :3], powers / powers.sum())


def test_a_query_that_sees_nothing_has_no_weights_and_never_nan():
    may = CAUSAL.copy()
    may[1] = False
    weights = softmax(SCORES, may)
    assert np.all(weights[1] == 0)
    assert np.isfinite(weights).all()
    assert share_kept(SCORES, may)[1] == 0


def test_renormalised_weights_are_the_open_ones_over_what_is_kept():
    everyone = softmax(SCORES, np.ones((4, 4), bool))
    kept = share_kept(SCORES, CAUSAL)
    np.testing.assert_allclose(
        softmax(SCORES, CAUSAL), np.where(CAUSAL, everyone, 0) / kept[:, None]
    )
    # By hand: the first query keeps e^10 of e^10 + e^-2 + e^6 + e^3.
    assert kept[0] == pytest.approx(np.exp(10) / np.exp([10.0, -2, 6, 3]).sum(), rel=1e-6)


def test_a_window_hears_one_step_further_each_layer():
    needed = hops(window(6, 2), 3)
    assert [int(v) for v in needed[5]] == [-1, -1, 3, 2, 1, 0]
    assert needed[0].tolist() == [0, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("seed", range(5))
def test_layers_needed_and_ways_are_those_of_a_slow_search(seed):
    rng = np.random.default_rng(seed)
    n, n_layers = 6, 3
    may = rng.random((n, n)) < 0.25
    needed = hops(may, n_layers)
    stops = next_stops(may, needed)
    for i, j in itertools.product(range(n), repeat=2):
        front, layers = {i}, 0
        while j not in front and layers < n_layers:
            front |= {k for at in front for k in range(n) if may[at, k]}
            layers += 1
        assert needed[i, j] == (layers if j in front else -1)
        path = way(stops, i, j)
        if needed[i, j] < 0:
            assert path == ()
        else:
            assert path[0] == i
            assert path[-1] == j
            assert len(path) == needed[i, j] + 1
            assert all(may[a, b] for a, b in itertools.pairwise(path))


def test_a_causal_mask_leaks_nothing_and_no_mask_leaks_every_answer():
    none = leaks(CAUSAL, 6)
    assert none.positions == []
    assert not none.answer.any()
    every = leaks(np.ones((4, 4), bool), 6)
    assert every.answer.tolist() == [True, True, True, False]
    assert every.direct.tolist() == [True, True, True, False]


def test_an_answer_may_come_round_a_corner_if_there_are_layers_enough():
    may = CAUSAL.copy()
    may[0, 3] = True  # the first token sees the last one, and the last sees everything
    one, two = leaks(may, 1), leaks(may, 2)
    assert one.later.tolist() == [True, False, False, False]
    assert not one.answer.any()
    # The last sees 1, so position 0 sees its answer by way of 3; 1 and 2 hear of it from 0.
    assert two.answer[0]
    assert not two.direct[0]
    assert way(next_stops(may, two.needed), 0, 1) == (0, 3, 1)
    assert leaks(may, 3).answer.tolist() == [True, True, True, False]


def test_padding_is_no_answer_to_anything():
    found = leaks(np.ones((5, 5), bool), 2, n=3)
    assert found.answer.tolist() == [True, True, False]
    assert found.positions == [0, 1]
