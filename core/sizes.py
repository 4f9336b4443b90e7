"""What plain data take in memory."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from typing import Any

ARRAY = 144  # bytes of an array besides its numbers
OBJECT = 152  # of a small one with its names


def held(*things: Any) -> int:
    """Bytes of texts, numbers and arrays, and of what is made of them; each object once.

    Functions and classes belong to others and take nothing.
    """
    total, seen, left = 0, set(), list(things)
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, int) and -5 <= one <= 256:
            continue  # Python has one of each, for all
        if isinstance(one, str | bytes | int | float):
            total += sys.getsizeof(one)
        elif isinstance(one, tuple | list | set | frozenset):
            total += sys.getsizeof(one)
            left += one
        elif isinstance(one, Mapping):
            total += sys.getsizeof(one)
            left += [*one, *one.values()]
        elif dataclasses.is_dataclass(one) and not isinstance(one, type):
            total += sys.getsizeof(one)
            total += sys.getsizeof(vars(one)) if hasattr(one, "__dict__") else 0
            left += [getattr(one, field.name) for field in dataclasses.fields(one)]
        elif getattr(one, "base", None) is not None and hasattr(one.base, "nbytes"):
            total += ARRAY
            left.append(one.base)  # a part of an array keeps all of it
        elif one is not None:
            total += ARRAY + int(getattr(one, "nbytes", 0))
    return total
