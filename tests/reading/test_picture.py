"""Pictures: their text form, the size that a model takes, and their scale."""

from __future__ import annotations

import numpy as np
import pytest

from core.encoders import Encoders, PictureEncoder
from core.errors import ParameterError
from core.inputs import Batch, Picture
from core.reading import Room, fitted, rows_of

SMALL = Encoders(pictures=PictureEncoder(3, 2, mean=0.5, std=0.25))


def test_pixels_are_scaled_and_stand_where_they_stood():
    (row,) = rows_of(Picture(3, 2, bytes([0, 51, 102, 153, 204, 255])), SMALL)
    wanted = (np.array([[[0, 0.2, 0.4], [0.6, 0.8, 1]]]) - 0.5) / 0.25
    np.testing.assert_allclose(row.tensor.numpy(), wanted, atol=1e-6)
    assert row.stream.units == ()


def test_colours_are_channels():
    encoders = Encoders(pictures=PictureEncoder(2, 1, 3))
    (row,) = rows_of(Picture(2, 1, bytes([255, 0, 0, 0, 0, 255]), 3), encoders)
    assert row.tensor[:, 0].tolist() == [[1, 0], [0, 0], [0, 1]]


def test_a_picture_of_another_size_is_refused_with_both_sizes():
    with pytest.raises(ParameterError, match="picture is '1x1'; it must be 3x2 pixels"):
        rows_of(Picture(1, 1, b"a"), SMALL)


def test_pictures_stand_in_a_batch_and_nothing_of_them_is_cut():
    one = SMALL.pictures.blank
    batch = Batch((one, one))
    assert len(rows_of(batch, SMALL)) == 2
    found = fitted(batch, Room(SMALL, 0))
    assert found.given == batch
    assert [(row.texts, row.cut) for row in found.rows] == [((), ""), ((), "")]
