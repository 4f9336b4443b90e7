"""Pixels in a drawing: what is written is what was meant, colour by colour."""

from __future__ import annotations

import base64
import re
import struct
import zlib

import numpy as np

from core.figures import raster
from core.figures.theme import LIGHT, contrast


def read_png(data: bytes) -> np.ndarray:
    """The pixels of such a file, every check sum right."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (zlib.crc32(kind + body),)
        chunks[kind.decode()] = body
        at += 12 + length
    assert list(chunks) == ["IHDR", "IDAT", "IEND"]
    width, height = struct.unpack_from(">II", chunks["IHDR"])
    rows = np.frombuffer(zlib.decompress(chunks["IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()  # no filter
    return rows[:, 1:].reshape(height, width, 3)


def pixels_in(drawn: str) -> list[np.ndarray]:
    """The pictures in a drawing."""
    found = re.findall(r"href='data:image/png;base64,([^']+)'", drawn)
    return [read_png(base64.b64decode(one)) for one in found]


def test_what_is_written_is_read():
    colours = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)
    assert (read_png(raster.png(colours)) == colours).all()
    assert (pixels_in(raster.image(colours, 1, 2, 3, 4))[0] == colours).all()


def test_grey_is_three_times_the_same():
    grey = np.array([[0, 255], [7, 100]], np.uint8)
    assert (raster.grey(grey) == grey[..., None]).all()
    colours = np.zeros((2, 2, 3), np.uint8)
    assert raster.grey(colours) is colours


def test_numbers_go_from_the_surface_to_their_hue():
    low, high = raster.channels(LIGHT.surface), raster.channels(LIGHT.weight)
    found = raster.tinted(np.array([[0, 255, 128]]), LIGHT, "weight")
    assert (found[0, 0] == low).all()
    assert (found[0, 1] == high).all()
    assert (np.abs(found[0, 2] - (low + high) / 2) <= 1).all()


def test_heat_covers_the_pixels_of_its_square_and_no_others():
    picture = np.full((4, 4, 3), 200, np.uint8)
    heat = np.array([[0, 255], [0, 0]])
    found = raster.heated(picture, heat, LIGHT, "weight")
    hot = raster.channels(LIGHT.weight)
    wanted = np.floor(200 + (hot - 200) * raster.HEAT + 0.5)
    assert (found[:2, 2:] == wanted).all()
    assert (found[:2, :2] == 200).all()
    assert (found[2:] == 200).all()


def test_squares_may_end_with_the_picture():
    found = raster.heated(np.zeros((5, 5, 3), np.uint8), np.full((2, 2), 255), LIGHT, "weight")
    assert (found > 0).any(axis=-1).all()


def test_the_strongest_heat_is_seen_on_black_and_on_white():
    """Pixels are the same on a light page and on a dark one; a mark on them has 3:1."""
    for ground, paper in ((0, "#000000"), (255, "#ffffff")):
        pixels, heat = np.full((1, 1, 3), ground, np.uint8), np.full((1, 1), 255)
        ((hot,),) = raster.heated(pixels, heat, raster.ON_PICTURES, "weight")
        assert contrast("#" + bytes(hot).hex(), paper) >= 3
    assert raster.HEAT == 0.85
    assert raster.ON_PICTURES.weight == "#7b66d3"  # as tests/javascript/pictures.test.js has it
