"""Normalisation step by step, on one vector at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.models.blueprint import NormKind

Array = NDArray[np.float64]
Rows = NDArray[Any]  # in any precision


@dataclass(frozen=True, eq=False)
class NormSteps:
    """Every number of one LayerNorm. Arrays are ``(d,)``.

    Attributes:
        x: the vector.
        mean: of its components.
        centred: x - mean.
        squares: of the centred components.
        var: their mean: the sum over the components divided by d, not d - 1.
        normalized: centred / sqrt(var + eps).
        scaled: a · normalized, component by component.
        out: a · normalized + b.
        gain, shift: a and b, a number for each component.
        eps: added to the variance.
    """

    x: Array
    mean: float
    centred: Array
    squares: Array
    var: float
    normalized: Array
    scaled: Array
    out: Array
    gain: Array
    shift: Array
    eps: float


def layer_norm_steps(x: Array, gain: Array, shift: Array, eps: float) -> NormSteps:
    """Ba et al. 2016, section 3, equation (4), one operation at a time.

    With eps = 0 and equal components it is 0 / 0, which gives NaN.
    """
    mean = float(x.mean())
    centred = x - mean
    squares = centred**2
    var = float(squares.mean())
    with np.errstate(invalid="ignore", divide="ignore"):
        normalized = centred / np.sqrt(var + eps)
    scaled = gain * normalized
    out = scaled + shift
    return NormSteps(
        x, mean, centred, squares, var, normalized, scaled, out, gain, shift, eps
    )  # fmt: skip


def root_mean_square(x: Array, eps: float) -> float:
    """sqrt(mean of the squares + eps)."""
    return float(divisor("rms", x, eps)[0])


def rms_normalized(x: Array, eps: float) -> Array:
    """Zhang & Sennrich 2019, equation (4), without the gain: x over its root mean square."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(x / divisor("rms", x, eps))


def normed(kind: NormKind, rows: Rows, gain: Rows, shift: Rows | None, eps: float) -> Rows:
    """What a norm makes of rows, ``(..., d)``, in the precision of the rows.

    Args:
        kind: which norm.
        rows: its input.
        gain: a number for each component.
        shift: the same; None for a norm that adds none.
        eps: added under the root.
    """
    scaled = centred(kind, rows) / divisor(kind, rows, eps) * gain
    return scaled if shift is None else scaled + shift


def centred(kind: NormKind, rows: Rows) -> Rows:
    """The part of each row that a norm divides: RMSNorm takes no mean away."""
    return rows if kind == "rms" else rows - rows.mean(axis=-1, keepdims=True)


def divisor(kind: NormKind, rows: Rows, eps: float) -> Rows:
    """What a norm divides each row by, ``(..., 1)``."""
    deviations = centred(kind, rows)
    return np.asarray(np.sqrt((deviations**2).mean(axis=-1, keepdims=True) + eps))


def cosine(a: Array, b: Array) -> float:
    """Of the angle between two vectors; NaN when one of them is zero."""
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else float("nan")
