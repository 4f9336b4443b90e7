"""A pack of a book as Python reads it: what ``assets/components/book/packs.js`` does."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from core.figures.payload import Payload, unpack
from core.lessons.book.pack import BITS, FIRST, REST

ENTRY = re.compile(r'"([\w/-]+)":\[(\d+),"([^"]*)"\]')


def held(path: Path) -> dict[str, Payload]:
    """What a pack holds, by its names there, with all parts in their places."""
    entries = {name: unpack(unpacked(int(n), said))
               for name, n, said in ENTRY.findall(path.read_bytes().decode("utf-16"))}  # fmt: skip
    found = {}
    for name, entry in entries.items():
        if "says" in entry.header:
            heaps = [entries[str(n)] for n in entry.header["heaps"]]
            parts = {n: part for heap in heaps for n, part in heap.header["parts"].items()}
            arrays = {n: array for heap in heaps for n, array in heap.arrays.items()}
            found[name] = Payload(whole(entry.header["says"], parts), arrays)
    return found


def unpacked(n: int, letters: str) -> bytes:
    """The bytes that some letters say."""
    codes = np.frombuffer(letters.encode("utf-16-le"), "<u2") - FIRST
    bits = codes[:, None] >> np.arange(BITS - 1, -1, -1) & 1
    return zlib.decompress(np.packbits(bits.astype(np.uint8))[:n].tobytes(), -zlib.MAX_WBITS)


def whole(value: Any, parts: dict[str, Any]) -> Any:
    """A value in which each part stands where its number stood."""
    if isinstance(value, list):
        return [whole(one, parts) for one in value]
    if isinstance(value, dict):
        if REST in value:
            return whole(parts[str(value[REST])], parts)
        return {name: whole(one, parts) for name, one in value.items()}
    return value
