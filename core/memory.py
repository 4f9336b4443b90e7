"""How much memory a value keeps in use: for caches that are bounded by bytes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

# What a value refers to but does not own.
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)


def memory_of(value: Any) -> int:
    """About how many bytes a value keeps in use, with all that it refers to, each thing once.

    A view of an array counts as the whole array: it keeps that in use.
    """
    total, seen, waiting = 0, set[int](), [value]
    while waiting:
        one = waiting.pop()
        while isinstance(one, np.ndarray) and isinstance(one.base, np.ndarray):
            one = one.base
        if id(one) in seen or isinstance(one, _SHARED):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            total += one.nbytes + sys.getsizeof(np.empty(0))
        else:
            total += sys.getsizeof(one)
            waiting.extend(_parts(one))
    return total


def _parts(one: Any) -> Iterator[Any]:
    """What an object refers to."""
    if isinstance(one, str | bytes | int | float | complex | None):
        return
    if isinstance(one, dict):
        yield from one.keys()
        yield from one.values()
    elif isinstance(one, list | tuple | set | frozenset):
        yield from one
    slots = (slot for cls in type(one).__mro__ for slot in getattr(cls, "__slots__", ()))
    for name in slots:
        if hasattr(one, name):
            yield getattr(one, name)
    yield from getattr(one, "__dict__", {}).values()
