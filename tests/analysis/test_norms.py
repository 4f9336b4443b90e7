"""Normalisation by hand: the lecture's vector, and torch's own norms."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.analysis.norms import cosine, layer_norm_steps, normed, rms_normalized, root_mean_square

X = np.array([100.0, 200.0, 100.0, 0.0])


def test_the_lectures_vector_step_by_step():
    steps = layer_norm_steps(X, np.ones(4), np.zeros(4), 0.0)
    assert steps.mean == 100
    assert steps.centred.tolist() == [0, 100, 0, -100]
    assert steps.squares.tolist() == [0, 10_000, 0, 10_000]
    assert steps.var == 5000  # 20,000 / 4, not / 3
    np.testing.assert_allclose(steps.normalized, [0, math.sqrt(2), 0, -math.sqrt(2)])
    assert [round(v, 2) for v in steps.out] == [0, 1.41, 0, -1.41]


def test_gain_and_shift_are_vectors_one_number_a_component():
    gain, shift = np.array([1.0, 2.0, 3.0, 4.0]), np.array([10.0, 20.0, 30.0, 40.0])
    steps = layer_norm_steps(X, gain, shift, 0.0)
    root = math.sqrt(2)
    np.testing.assert_allclose(steps.scaled, [0, 2 * root, 0, -4 * root])
    np.testing.assert_allclose(steps.out, [10, 20 + 2 * root, 30, 40 - 4 * root])


def test_it_is_torchs_layer_norm():
    x, gain, shift = (torch.randn(16, dtype=torch.float64) for _ in range(3))
    ours = layer_norm_steps(x.numpy(), gain.numpy(), shift.numpy(), 1e-5).out
    np.testing.assert_allclose(ours, F.layer_norm(x, (16,), gain, shift, 1e-5).numpy())


def test_equal_components_need_eps():
    assert np.isnan(layer_norm_steps(np.full(3, 7.0), np.ones(3), np.zeros(3), 0.0).out).all()
    assert layer_norm_steps(np.full(3, 7.0), np.ones(3), np.zeros(3), 1e-5).out.tolist() == [0] * 3


def test_rms_norm_by_hand_and_by_torch():
    assert root_mean_square(X, 0.0) == pytest.approx(math.sqrt(15_000))
    np.testing.assert_allclose(rms_normalized(X, 0.0), X / math.sqrt(15_000))
    x = torch.randn(9, dtype=torch.float64)
    np.testing.assert_allclose(rms_normalized(x.numpy(), 1e-6), F.rms_norm(x, (9,), eps=1e-6))


def test_both_norms_agree_when_the_mean_is_zero():
    x = np.array([3.0, -1.0, -2.0])
    steps = layer_norm_steps(x, np.ones(3), np.zeros(3), 0.0)
    np.testing.assert_allclose(steps.normalized, rms_normalized(x, 0.0))


def test_cosine():
    assert cosine(np.array([1.0, 0.0]), np.array([0.0, 2.0])) == 0
    assert cosine(np.array([1.0, 1.0]), np.array([2.0, 2.0])) == pytest.approx(1)
    assert math.isnan(cosine(np.zeros(2), np.ones(2)))


@pytest.mark.parametrize("kind", ["layer", "rms"])
def test_a_norm_by_its_kind_is_torchs(kind):
    x, gain, shift = torch.randn(3, 16).double(), torch.randn(16).double(), torch.randn(16).double()
    if kind == "layer":
        expected = F.layer_norm(x, (16,), gain, shift, 0.1)
    else:
        expected, shift = F.rms_norm(x, (16,), gain, 0.1), None
    ours = normed(kind, x.numpy(), gain.numpy(), None if shift is None else shift.numpy(), 0.1)
    np.testing.assert_allclose(ours, expected.numpy(), atol=1e-14)
