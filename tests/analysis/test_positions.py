"""Positions compared, by hand and by slow loops."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.positions import (
    by_distance,
    cosines,
    flips,
    moved,
    nearest_rows,
    sinusoidal_cosine,
    wavelength,
)
from core.nn.positions import binary_positions, sinusoidal_positions


def test_wavelengths_of_the_paper():
    # Vaswani et al. 2017, section 3.5: from 2 pi to nearly 10000 · 2 pi.
    assert wavelength(0, 512) == pytest.approx(2 * np.pi)
    assert wavelength(255, 512) == pytest.approx(2 * np.pi * 10000 ** (510 / 512))
    # After one wavelength a pair is back where it was.
    table = sinusoidal_positions(64, 4).numpy()
    assert table[0, 0] == pytest.approx(0)
    turn = wavelength(0, 4)
    assert np.sin(turn) == pytest.approx(table[0, 0], abs=1e-6)


@pytest.mark.parametrize("distance", [0, 1, 7])
def test_the_cosine_of_sinusoids_is_that_of_the_tables_rows(distance):
    pairs = cosines(sinusoidal_positions(12, 10).numpy())
    assert sinusoidal_cosine(distance, 10) == pytest.approx(pairs[2, 2 + distance], abs=1e-6)


def test_cosines_by_hand():
    found = cosines(np.array([[1.0, 0.0], [1.0, 1.0], [-2.0, 0.0], [0.0, 0.0]]))
    half = np.sqrt(0.5)
    assert found == pytest.approx(
        np.array([[1, half, -1, 0], [half, 1, -half, 0], [-1, -half, 1, 0], [0, 0, 0, 0]])
    )


def test_means_over_each_distance():
    pairs = np.array([[1.0, 2.0, 5.0], [2.0, 3.0, 4.0], [5.0, 4.0, 8.0]])
    means, spread = by_distance(pairs)
    assert means == pytest.approx([4.0, 3.0, 5.0])
    assert spread == pytest.approx([7.0, 2.0, 0.0])


def test_the_inner_product_of_sinusoids_depends_on_the_distance_alone():
    rows = sinusoidal_positions(40, 64).numpy().astype(np.float64)
    means, spread = by_distance(rows @ rows.T)
    assert spread.max() < 1e-5
    # sum of cos(distance / 10000^(2i / d)) over the pairs
    for distance in (0, 1, 7):
        expected = sum(np.cos(distance / 10000 ** (2 * i / 64)) for i in range(32))
        assert means[distance] == pytest.approx(expected, abs=1e-5)


def test_binary_digits_flip_ever_more_slowly():
    assert flips(binary_positions(16, 4).numpy()) == [1, 3, 7, 15]


def test_moved_puts_tokens_back_before_it_compares():
    before = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 2.0]])
    order = (2, 0, 1)  # token 2 stood first, then 0, then 1
    assert moved(before, before[list(order)], order) == pytest.approx([0, 0, 0])
    after = before[list(order)].copy()
    after[1] += [0.0, 5.0]  # place 1 holds token 0, whose vector is 5 long
    assert moved(before, after, order) == pytest.approx([1.0, 0, 0])
    assert moved(np.zeros((1, 2)), np.zeros((1, 2)), (0,)) == pytest.approx([0])


def test_nearest_rows_against_a_loop():
    table = np.random.default_rng(0).normal(size=(30, 5))
    table[7] = 0  # a row of zeros is near to nothing
    found = nearest_rows(table, [3, 12], 4)
    for own, row in zip((3, 12), found, strict=True):
        cosine = [
            table[own] @ other / (np.linalg.norm(table[own]) * (np.linalg.norm(other) or 1))
            for other in table
        ]
        others = sorted((i for i in range(30) if i != own), key=lambda i: -cosine[i])
        assert list(row) == others[:4]
