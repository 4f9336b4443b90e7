"""The pictures to begin with: digits of the size that the models read, each with its source."""

from __future__ import annotations

import numpy as np

from core.samples import samples


def test_every_digit_is_there_from_both_sources():
    found = [(one.label, one.source) for one in samples()]
    assert len(set(found)) == len(found) == 20
    assert {label for label, _source in found} == set("0123456789")
    assert {source for _label, source in found} == {"Glassformer", "MNIST"}


def test_they_are_light_on_dark():
    for one in samples():
        assert one.picture.size == "28x28"
        pixels = np.frombuffer(one.picture.pixels, np.uint8).reshape(28, 28)
        assert pixels.max() > 200
        assert pixels.mean() < 80
        assert pixels[0].max() == pixels[:, -1].max() == 0  # there is a border around each
