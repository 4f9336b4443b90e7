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
    total, ids, todo = 0, set(), list(things)
    while todo:
        thing = todo.pop()
        if id(thing) in ids:
            continue
        ids.add(id(thing))
        own_size, of = _counter_of(type(thing))  # type: ignore[arg-type]  # a type is hashable
        total += own_size(thing)
        if of is not None:
            todo += of(thing)
    return total


Counted = tuple[Callable[[Any], int], Callable[[Any], Iterable[Any]] | None]


@lru_cache(maxsize=1024)
def _counter_of(kind: type[Any]) -> Counted:
    """Of things of one type: what one takes by itself, and what else it holds."""
    if issubclass(kind, int):
        # Python has one of each of the small ones, for all.
        return lambda number: 0 if -5 <= number <= 256 else sys.getsizeof(number), None
    if issubclass(kind, str | bytes | float):
        return sys.getsizeof, None
    if issubclass(kind, tuple | list | set | frozenset):
        return sys.getsizeof, iter
    if issubclass(kind, Mapping):
        return sys.getsizeof, lambda mapping: [*mapping, *mapping.values()]
    if dataclasses.is_dataclass(kind):
        if hasattr(kind, "nbytes"):
            return lambda value: int(value.nbytes), None
        return _of_fields(tuple(field.name for field in dataclasses.fields(kind)))
    if kind is type(None):
        return lambda _one: 0, None
    return _of_array, _owners


def _of_fields(names: Sequence[str]) -> Counted:
    def own(thing: Any) -> int:
        return sys.getsizeof(thing) + (
            sys.getsizeof(vars(thing)) if hasattr(thing, "__dict__") else 0
        )

    return own, lambda thing: [getattr(thing, name) for name in names]


def _base(array: Any) -> Any:
    """What a part of an array keeps alive, which is all of it; None for a whole one."""
    base = getattr(array, "base", None)
    return base if hasattr(base, "nbytes") else None


def _of_array(array: Any) -> int:
    return ARRAY + (0 if _base(array) is not None else int(getattr(array, "nbytes", 0)))


def _owners(array: Any) -> list[Any]:
    base = _base(array)
    return [] if base is None else [base]
