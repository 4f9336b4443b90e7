"""Patches in another order, with positions and without."""

from __future__ import annotations

import numpy as np

from core.views.vision.shuffled import reordered
from tests.views.records import shown


def test_without_positions_the_order_is_nothing_and_with_them_it_is_something(runs):
    view, record = shown(runs, "vision.shuffled", model="vit", shuffle_seed="3")
    shares = view.values(record)["probability"].array
    assert shares.shape == (2, 2, 10)
    np.testing.assert_allclose(shares.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(shares[1, 0], shares[1, 1], atol=1e-5)
    assert np.abs(shares[0, 0] - shares[0, 1]).max() > 1e-6
    said = str(view.describe(record))
    assert "the order makes no difference" in said


def test_the_pictures_are_the_same_patches(runs):
    view, record = shown(runs, "vision.shuffled", model="vit", shuffle_seed="3")
    whole, mixed = view.show(record).pictures[:2]
    assert (whole != mixed).any()

    def patches(pixels):
        return sorted(map(bytes, pixels.reshape(7, 4, 7, 4).swapaxes(1, 2).reshape(49, 16)))

    assert patches(whole) == patches(mixed)
    captions = [tile.caption for tile in view.show(record).tiles]
    best = [int(run.shares.argmax()) for run in record.runs]
    assert [caption[0] for caption in captions] == [str(n) for n in best]


def test_a_patch_goes_where_the_order_says():
    pixels = np.arange(36, dtype=np.uint8).reshape(6, 6)
    found = reordered(pixels, 3, [3, 0, 1, 2])
    assert (found[:3, :3] == pixels[3:, 3:]).all()
    assert (found[:3, 3:] == pixels[:3, :3]).all()
    assert (found[3:, :3] == pixels[:3, 3:]).all()
