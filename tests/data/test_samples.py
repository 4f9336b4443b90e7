"""The pictures to begin with: of the sizes that models read, each with its source."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.samples import THINGS, sample, samples
from core.errors import ParameterError


def test_every_digit_is_there_from_both_sources():
    for source in ("Glassformer", "MNIST"):
        own = [one.label for one in samples() if one.source == source]
        assert set(own) == set("0123456789")


def test_everything_that_photographs_are_told_apart_by_is_there():
    things = [one for one in samples() if one.picture.size == "32x32x3"]
    assert {one.label for one in things} == set(THINGS)
    assert {one.source for one in things} == {"Openclipart", "Stéfan van der Walt"}
    assert len(samples()) == len(things) + len(digits())


def test_a_sample_is_found_by_its_name():
    names = [one.id for one in samples()]
    assert len(set(names)) == len(names)
    assert all(sample(name).id == name for name in names)
    with pytest.raises(ParameterError, match="picture is 'ours-x'; it must be one of ours-7, "):
        sample("ours-x")


def test_a_turned_digit_is_the_same_pixels():
    six, turned = (pixels(sample(name)) for name in ("ours-6", "ours-6-turned"))
    assert (six[::-1, ::-1] == turned).all()
    seven, mixed = (pixels(sample(name)) for name in ("ours-7", "ours-7-mixed"))
    cut = [one.reshape(7, 4, 7, 4).swapaxes(1, 2).reshape(49, 16) for one in (seven, mixed)]
    assert sorted(map(bytes, cut[0])) == sorted(map(bytes, cut[1]))
    assert (cut[0] != cut[1]).any()


def pixels(one):
    return np.frombuffer(one.picture.pixels, np.uint8).reshape(28, 28)


def digits():
    return [one for one in samples() if one.picture.size == "28x28"]


def test_digits_are_light_on_dark():
    for one in digits():
        assert pixels(one).max() > 200
        assert pixels(one).mean() < 80
