"""A link's query: names and short texts; what is long is packed, what is too long stays out."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from urllib.parse import urlencode

from core.language import _
from core.views.params import MAX_TEXT, Problem

LONG_LINK = 2000  # characters from which the link is packed
LONGEST_LINK = 8000  # beyond which values stay out of it
PACKED = "z"


def unpack(query: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """The values of a link's query, unpacked if they were packed, and what was wrong with it."""
    values = {name: clean(value) for name, value in query.items() if name != PACKED}
    if PACKED not in query:
        return values, []
    packed = query[PACKED]
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        inflated = zlib.decompressobj().decompress(data, 100_000)  # bounded: it is a stranger's
        found = json.loads(inflated)
    except (ValueError, zlib.error, RecursionError):
        found = None
    if len(packed) > LONGEST_LINK or not isinstance(found, dict):
        return values, [Problem(PACKED, packed, _("copied whole"))]
    for name, value in found.items():
        if isinstance(value, str):
            values[clean(name)] = clean(value)
    return values, []


def clean(text: str) -> str:
    """A stranger's text: no more of it than a field takes, and one, so that it is said to be cut.

    Halves of characters, which no text can be written with, become question marks.
    """
    return text[: MAX_TEXT + 1].encode(errors="replace").decode()


def pack(values: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The query of a link for these values, and which of them stay out of it, the longest first."""
    kept = dict(values)
    out: tuple[str, ...] = ()
    while True:
        if len(urlencode(kept)) <= LONG_LINK:
            return kept, out
        data = zlib.compress(json.dumps(kept, ensure_ascii=False).encode(), 9)
        packed = base64.urlsafe_b64encode(data).decode().rstrip("=")
        if len(packed) <= LONGEST_LINK:
            return {PACKED: packed}, out
        longest = max(kept, key=lambda name: len(kept[name].encode()))
        del kept[longest]
        out = (*out, longest)
