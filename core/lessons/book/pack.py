"""What the pages of a lesson hold, in all its languages: a script, in which nothing stands twice.

A page that was opened from a disk may fetch nothing, but it may run a script that lies beside it:
so a pack is a script that says letters. Each carries 15 bits, and the file is in UTF-16, which says
of itself that it is: with base64 it would be a quarter longer.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.figures.payload import Payload

PACKS = "packs"  # their folder
REST = "="  # the only name in what stands for a part
LONG = 200  # characters from which on something is a part
FIRST, BITS = 0x5000, 15  # the letters from here on are none that mean anything in a script
UTF_16 = b"\xff\xfe"  # a browser heeds it, whatever else it is told


class Pack:
    """Payloads by name; what is long and stands in several is a part, held once.

    Parts and arrays that the same payloads need lie in one heap, so that a page unpacks what it
    shows and nothing else, and what is covered is not among what is open.
    """

    def __init__(self) -> None:
        self._headers: dict[str, Any] = {}
        self._arrays: dict[str, NDArray[Any]] = {}
        self._parts: dict[str, Any] = {}
        self._users: dict[str, set[str]] = {}  # of an array or a part: names of payloads

    def add(self, name: str, payload: Payload) -> None:
        """Add a payload.

        Args:
            name: of it in the pack.
            payload: its arrays by names that say what is in them.
        """
        self._headers[name] = self._shortened(payload.header, name, {})
        for array_name, array in payload.arrays.items():
            self._arrays[array_name] = array
            self._users.setdefault(array_name, set()).add(name)

    def _shortened(self, value: Any, user: str, shortened: dict[int, Any]) -> Any:
        """A value with what is long in it by name.

        Args:
            value: as JSON can say it.
            user: the payload that it stands in.
            shortened: by the address of a value, what has been made of it.
        """
        if isinstance(value, str | int | float | None):
            return value
        if id(value) in shortened:
            return shortened[id(value)]
        if isinstance(value, Mapping):
            inner: Any = {
                str(n): self._shortened(item, user, shortened) for n, item in value.items()
            }
        else:
            inner = [self._shortened(item, user, shortened) for item in value]
        text = json.dumps(inner, ensure_ascii=False)
        if len(text) >= LONG:
            name = hashlib.sha256(text.encode()).hexdigest()[:16]
            self._parts[name] = inner
            self._users.setdefault(name, set()).add(user)
            inner = {REST: name}
        shortened[id(value)] = inner
        return inner

    def script(self, name: str) -> bytes:
        """The file.

        Args:
            name: of the pack.
        """
        entries = ",".join(
            f"{json.dumps(name_)}:{_write_payload(content)}" for name_, content in self.payloads()
        )
        head = f"(globalThis.PACKS ??= {{}})[{json.dumps(name)}] = {{{entries}}};\n"
        return UTF_16 + head.encode("utf-16-le")

    def payloads(self) -> Iterator[tuple[str, Payload]]:
        """The payloads by their names, then the heaps by their numbers."""
        often = Counter(part_name for part in (*self._headers.values(), *self._parts.values())
                        for part_name in _named(part))  # fmt: skip
        heaps: dict[frozenset[str], list[str]] = {}
        for part_name, users in self._users.items():
            if part_name in self._arrays or often[part_name] > 1:
                heaps.setdefault(frozenset(users), []).append(part_name)
        numbers = {
            part_name: n
            for n, part_name in enumerate(content for heap in heaps.values() for content in heap)
        }
        for name, header in self._headers.items():
            needs = [index for index, users in enumerate(heaps) if name in users]
            yield name, Payload({"says": self._expand(header, numbers), "heaps": needs})
        for index, heap in enumerate(heaps.values()):
            parts = {numbers[part_name]: self._expand(self._parts[part_name], numbers)
                     for part_name in heap if part_name in self._parts}  # fmt: skip
            arrays = {
                part_name: self._arrays[part_name]
                for part_name in heap
                if part_name in self._arrays
            }
            yield str(index), Payload({"parts": parts}, arrays)

    def _expand(self, value: Any, numbers: Mapping[str, int]) -> Any:
        """A value in which parts that stand once are themselves, and others have numbers."""
        if isinstance(value, list):
            return [self._expand(item, numbers) for item in value]
        if not isinstance(value, dict):
            return value
        if REST not in value:
            return {name: self._expand(item, numbers) for name, item in value.items()}
        name = value[REST]
        return (
            {REST: numbers[name]} if name in numbers else self._expand(self._parts[name], numbers)
        )


def _named(value: Any) -> Iterator[str]:
    """The parts that stand in a value, as often as they do."""
    if isinstance(value, dict) and REST in value:
        yield value[REST]
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _named(item)


def _write_payload(payload: Payload) -> str:
    """How many bytes it takes, compressed, and these as letters."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(payload.pack()) + packer.flush()
    return f'[{len(packed)},"{letters(packed)}"]'


def letters(data: bytes) -> str:
    """Bytes as letters of 15 bits; behind the last one there is nothing but zeros."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    rows = np.append(bits, np.zeros(-len(bits) % BITS, np.uint8)).reshape(-1, BITS)
    worth = 1 << np.arange(BITS - 1, -1, -1, dtype=np.uint16)
    return (FIRST + rows @ worth).astype("<u2").tobytes().decode("utf-16-le")
