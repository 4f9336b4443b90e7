"""Small pictures in a drawing: pixels as a PNG inside of it, and the colours they are shown in."""

from __future__ import annotations

import base64
import dataclasses
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.theme import DARK, LIGHT, Palette

HEAT = 0.85  # how far the colour of the largest number covers the pixels below it

Colours = NDArray[np.uint8]


def channels(colour: str) -> NDArray[np.float64]:
    """Red, green and blue of a ``#rrggbb``."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], np.float64)


def _between(light: str, dark: str) -> str:
    """The colour in the middle of two."""
    return "#" + "".join(f"{int(n + 0.5):02x}" for n in (channels(light) + channels(dark)) / 2)


# The pixels of a picture are the same in both modes, so what lies over them is, too: it must be
# seen on black and on white.
ON_PICTURES = dataclasses.replace(LIGHT, weight=_between(LIGHT.weight, DARK.weight))


def grey(pixels: NDArray[np.uint8]) -> Colours:
    """Pixels as they are: ``(rows, columns)`` grey or ``(rows, columns, 3)``, to the latter."""
    return np.repeat(pixels[..., None], 3, axis=-1) if pixels.ndim == 2 else pixels


def tinted(shares: NDArray[Any], palette: Palette, role: str) -> Colours:
    """Numbers from 0 to 255 in one hue, from the surface up."""
    low, high = channels(palette.surface), channels(str(getattr(palette, role)))
    return _rounded(low + (high - low) * (np.asarray(shares, float)[..., None] / 255))


def heated(picture: Colours, heat: NDArray[Any], palette: Palette, role: str) -> Colours:
    """A picture below numbers from 0 to 255, each over the square of pixels that it is about."""
    rows, columns = (-(-n // m) for n, m in zip(picture.shape[:2], heat.shape, strict=True))
    over = np.repeat(np.repeat(heat, rows, axis=0), columns, axis=1)
    share = over[: picture.shape[0], : picture.shape[1], None] / 255 * HEAT
    return _rounded(picture + (channels(str(getattr(palette, role))) - picture) * share)


def _rounded(colours: NDArray[Any]) -> Colours:
    return np.floor(colours + 0.5).astype(np.uint8)


def image(colours: Colours, x: float, y: float, width: float, height: float) -> str:
    """A picture in an SVG, its pixels as sharp squares."""
    return (
        f"<image x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' "
        f"preserveAspectRatio='none' style='image-rendering:pixelated' "
        f"href='data:image/png;base64,{base64.b64encode(png(colours)).decode()}'/>"
    )


def png(colours: Colours) -> bytes:
    """``(rows, columns, 3)`` as a PNG (ISO 15948): one chunk each for size, pixels and end."""
    height, width, _three = colours.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # every row begins with its filter: none
    rows[:, 1:] = colours.reshape(height, -1)
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", size), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
