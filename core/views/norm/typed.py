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
MAX_TYPED = 1600  # characters of one: 25 for each component
LARGEST = 1e9  # size of a number
# What is asked for where what was typed is no number.
WANTED = {
    "vector": N_("numbers separated by commas, such as 100, 200, 100, 0"),
    "parameter": N_("one number for all components, or numbers separated by commas, such as "
                    "1, 2, 1, 0"),
    "eps": N_("one number, 0 or more"),
}  # fmt: skip


_DECIMAL = re.compile(r"(?<=\d),(?=\d)")


def _numbers(name: str, text: str, of: str) -> Array:
    """The numbers of a text, brackets and separators left out.

    A comma between two digits is a decimal sign if something else parts the numbers: a blank, a
    semicolon, or a comma with a blank. So "1,5; 2,5" has two numbers and "100,200" has two. A link
    says the same in every language.

    Args:
        name: what they are called.
        text: as it was typed.
        of: what they are, by its name in ``WANTED``.

    Raises:
        ParameterError: something in it is no number, or too large for the picture.
    """
    inner = text.strip().strip("[]()").strip().replace(MINUS, "-")
    if re.search(r"[;\s]", inner):
        inner = _DECIMAL.sub(".", inner)
    words = re.split(r"[,;\s]+", inner)
    found = []
    for word in words:
        if not re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?", word):
            raise ParameterError(name, text[:40], WANTED[of])
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
    values = _numbers(name, text, "vector")
    if not 2 <= len(values) <= most:
        raise ParameterError(name, text[:40], Phrase(N_("between 2 and {n} numbers"), n=most))
    return values


def read_parameter(name: str, text: str, d: int) -> Array:
    """The gain a or the shift b, ``(d,)``: a number for each component, or one that counts for all.

    Raises:
        ParameterError: no numbers, or another count.
    """
    values = _numbers(name, text, "parameter")
    if len(values) == 2 != d:  # 1,5 is one number
        values = _numbers(name, _DECIMAL.sub(".", text), "parameter")
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
    values = _numbers("ε", _DECIMAL.sub(".", text), "eps")
    if len(values) != 1 or values[0] < 0:
        raise ParameterError("ε", text[:40], WANTED["eps"])
    return float(values[0])
