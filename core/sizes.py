"""What plain data take in memory."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

ARRAY = 144  # bytes of an array besides its numbers
OBJECT = 152  # of a small one with its names


def held(*things: Any) -> int:
    """Bytes of texts, numbers and arrays, and of what is made of them; each object once.

    A dataclass with ``nbytes`` says itself what it takes: it holds what belongs to others, too, or
    is faster at counting. Functions and classes belong to others and take nothing.
    """
    total, seen, left = 0, set(), list(things)
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        own, of = _taken(type(one))  # type: ignore[arg-type]  # a type is hashable
        total += own(one)
        if of is not None:
            left += of(one)
    return total


Counted = tuple[Callable[[Any], int], Callable[[Any], Iterable[Any]] | None]


@lru_cache(maxsize=1024)
def _taken(kind: type[Any]) -> Counted:
    """Of things of one type: what one takes by itself, and what else it holds."""
    if issubclass(kind, int):
        # Python has one of each of the small ones, for all.
        return lambda one: 0 if -5 <= one <= 256 else sys.getsizeof(one), None
    if issubclass(kind, str | bytes | float):
        return sys.getsizeof, None
    if issubclass(kind, tuple | list | set | frozenset):
        return sys.getsizeof, iter
    if issubclass(kind, Mapping):
        return sys.getsizeof, lambda one: [*one, *one.values()]
    if dataclasses.is_dataclass(kind):
        if hasattr(kind, "nbytes"):
            return lambda one: int(one.nbytes), None
        return _of_fields(tuple(field.name for field in dataclasses.fields(kind)))
    if kind is type(None):
        return lambda _one: 0, None
    return _of_array, _whole


def _of_fields(names: Sequence[str]) -> Counted:
    def own(one: Any) -> int:
        return sys.getsizeof(one) + (sys.getsizeof(vars(one)) if hasattr(one, "__dict__") else 0)

    return own, lambda one: [getattr(one, name) for name in names]


def _base(one: Any) -> Any:
    """What a part of an array keeps alive, which is all of it; None for a whole one."""
    base = getattr(one, "base", None)
    return base if hasattr(base, "nbytes") else None


def _of_array(one: Any) -> int:
    return ARRAY + (0 if _base(one) is not None else int(getattr(one, "nbytes", 0)))


def _whole(one: Any) -> list[Any]:
    base = _base(one)
    return [] if base is None else [base]
