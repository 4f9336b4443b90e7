"""Vectors as they are typed in."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from core.errors import ParameterError
from core.figures.text import MINUS, number
from core.language import N_, Phrase

Array = NDArray[np.float64]
MAX_COMPONENTS = 64  # of a vector
LARGEST = 1e9  # size of a number


def _numbers(name: str, text: str) -> Array:
    """The numbers of a text, brackets and separators left out.

    Raises:
        ParameterError: something in it is no number, or too large for the picture.
    """
    words = re.split(r"[,;\s]+", text.strip().strip("[]()").strip().replace(MINUS, "-"))
    found = []
    for word in words:
        if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", word):
            raise ParameterError(
                name, text[:40], N_("numbers separated by commas, such as 100, 200, 100, 0")
            )
        value = float(word)
        if abs(value) > LARGEST:
            raise ParameterError(
                name, text[:40], Phrase(N_("numbers of at most {n}"), n=number(LARGEST, 1))
            )
        found.append(value)
    return np.array(found)


def read_vector(text: str, name: str = "x", most: int = MAX_COMPONENTS) -> Array:
    """The vector, ``(d,)``.

    Args:
        text: as it was typed.
        name: what it is called.
        most: components that it may have.

    Raises:
        ParameterError: no numbers, fewer than two, or too many.
    """
    values = _numbers(name, text)
    if not 2 <= len(values) <= most:
        raise ParameterError(name, text[:40], Phrase(N_("between 2 and {n} numbers"), n=most))
    return values


def read_parameter(name: str, text: str, d: int) -> Array:
    """The gain a or the shift b, ``(d,)``: a number for each component, or one that counts for all.

    Raises:
        ParameterError: no numbers, or another count.
    """
    values = _numbers(name, text)
    if len(values) == 1:
        return np.full(d, values[0])
    if len(values) != d:
        raise ParameterError(
            name,
            text[:40],
            Phrase(N_("{d} numbers, one for each component of x, or one number for all"), d=d),
        )
    return values


def read_eps(text: str) -> float:
    """What is added to the variance.

    Raises:
        ParameterError: not one number, or a negative one.
    """
    values = _numbers("ε", text)
    if len(values) != 1 or values[0] < 0:
        raise ParameterError("ε", text[:40], N_("one number, 0 or more"))
    return float(values[0])
