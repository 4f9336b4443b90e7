"""What a component is given: one bytes value, a JSON header and raw arrays behind it.

Layout: a little-endian uint32 with the header's length, the header (UTF-8 JSON,
padded with spaces to a multiple of 8), then each array at the offset its entry
names, each at a multiple of 8. The header names the language where it is not
English. A long array of float32 whose numbers all fit bfloat16, as the stored weights do, goes as
these: the upper two of each number's four bytes, and the lower two are zero.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.language import SOURCE_LANGUAGE, language

VERSION = 1
_DTYPES = ("float32", "uint8", "int32", "uint16")
HALVED, LONG = "bfloat16", 2048  # as which such an array goes; numbers from which it is worth it
BELOW_ONE = np.nextafter(np.float32(1), np.float32(0))


@dataclass(frozen=True)
class Payload:
    """A component's input.

    Attributes:
        header: labels, sizes, texts: anything JSON can say.
        arrays: by name; float32, int32, uint16 or uint8.
        later: names of arrays that a page may ask for when they are wanted.
    """

    header: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    later: Collection[str] = ()

    def only(self, *, later: bool) -> Payload:
        """The part that is there at once, or the arrays that come later."""
        arrays = {n: array for n, array in self.arrays.items() if (n in self.later) == later}
        return Payload({} if later else self.header, arrays)

    def pack(self) -> bytes:
        """The bytes that travel."""
        entries: dict[str, dict[str, Any]] = {}
        chunks: list[bytes] = []
        offset = 0
        for name, array in self.arrays.items():
            if array.dtype.name not in _DTYPES:
                raise TypeError(f"array {name!r} has dtype {array.dtype}")
            dtype, data = _bytes(np.ascontiguousarray(array))
            entries[name] = {"dtype": dtype, "shape": list(array.shape), "offset": offset}
            padding = -len(data) % 8
            chunks += [data, b"\0" * padding]
            offset += len(data) + padding
        spoken = {} if language() == SOURCE_LANGUAGE else {"language": language()}
        header = {"version": VERSION, **spoken, **self.header, "arrays": entries}
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        encoded = text.encode()
        encoded += b" " * (-(len(encoded) + 4) % 8)
        return struct.pack("<I", len(encoded)) + encoded + b"".join(chunks)


def _bytes(array: NDArray[Any]) -> tuple[str, bytes]:
    """What an array goes as, and its bytes."""
    if array.dtype == np.float32 and array.size >= LONG:
        halves = array.view("<u2").reshape(-1, 2)
        if not halves[:, 0].any():
            return HALVED, halves[:, 1].tobytes()
    return array.dtype.name, array.tobytes()


def unpack(data: bytes) -> Payload:
    """The payload of some bytes: what the browser does, for tests and tools."""
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    start = 4 + length
    arrays = {}
    for name, entry in header.pop("arrays").items():
        count = int(np.prod(entry["shape"], dtype=np.int64))
        halved = entry["dtype"] == HALVED
        kind = "<u2" if halved else entry["dtype"]
        flat = np.frombuffer(data, kind, count, start + entry["offset"])
        if halved:
            flat = (flat.astype("<u4") << 16).view(np.float32)
        arrays[name] = flat.reshape(entry["shape"])
    header.pop("version")
    header.pop("language", None)
    return Payload(header, arrays)


def as_shares(values: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Shares of one as components have them: what is below 1 stays below 1.

    Rounded to 32 bits a share of 0.99999999 would be 1, and written as 100 %.
    """
    rounded = values.astype(np.float32)
    return np.where(values < 1, np.minimum(rounded, BELOW_ONE), rounded).astype(np.float32)


def as_bytes(values: NDArray[np.floating[Any]], low: float, high: float) -> NDArray[np.uint8]:
    """Numbers between ``low`` and ``high`` in 255 steps: enough for a picture."""
    span = high - low or 1.0
    scaled = (np.clip(values, low, high) - low) / span * 255
    return np.round(np.nan_to_num(scaled)).astype(np.uint8)
