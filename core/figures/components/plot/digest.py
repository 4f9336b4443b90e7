"""A short name for all that a plot shows: two that look the same have the same."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np


def digest(plot: Any) -> bytes:
    """Of everything that a plot is made of, numbers included."""
    state = hashlib.blake2b(digest_size=20)
    for piece in _pieces(plot):
        state.update(piece)
    return state.digest()


def _pieces(value: Any) -> Iterator[bytes]:
    """A value piece by piece, each with its kind or its end, so that no two values run together."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        yield f"{value.dtype.str}{value.shape}".encode()
        yield value.tobytes()
    elif dataclasses.is_dataclass(value):
        yield type(value).__name__.encode()
        for field in dataclasses.fields(value):
            yield from _pieces(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from _pieces([*value.items()])
    elif isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
        yield f"[{len(value)}".encode()
        if len(value) and isinstance(value[0], str | int | float):
            yield repr([*value]).encode()  # thousands of labels
            return
        for item in value:
            yield from _pieces(item)
    else:
        yield f"{value!r}\n".encode()
