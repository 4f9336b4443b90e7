"""Drawn pictures as a classifier reads them: each by itself."""

from __future__ import annotations

import numpy as np
import torch

from core.runs.kinds.digits import _judged


def test_every_picture_of_every_frame_is_judged_as_it_would_be_alone(digits):
    judge = digits["cnn"]
    frames = np.random.default_rng(0).integers(0, 256, (2, 3, 28, 28), np.uint8)
    shares = _judged(judge, frames)
    assert shares.shape == (2, 3, 10)
    for at in np.ndindex(2, 3):
        alone = judge.encoders.pictures.numbers(frames[at][None, ..., None])
        expected = judge.model(torch.from_numpy(alone)).softmax(-1)[0].numpy()
        np.testing.assert_allclose(shares[at], expected, rtol=1e-5)
