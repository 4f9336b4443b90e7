"""Texts and bytes as they are shown: nothing in them stays hidden."""

from __future__ import annotations

import re
from functools import lru_cache

_CONTROL = {"\n": "⏎", "\t": "⇥", "\r": "␍", " ": "·", "\u00a0": "⍽"}
_HIDDEN = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff]"
)


def visible(text: str) -> str:
    """A text with nothing hidden in it: spaces as ·, newlines as ⏎, control characters by code."""
    out = "".join(_CONTROL.get(char, char) for char in text)
    return _HIDDEN.sub(lambda found: f"‹U+{ord(found.group()):04X}›", out)


def hexadecimal(data: bytes) -> str:
    """Bytes as two digits each: 61 67."""
    return " ".join(f"{byte:02X}" for byte in data)


@lru_cache(maxsize=16384)
def bytes_label(data: bytes) -> str:
    """Bytes as the text they spell; as hexadecimal when they are no whole characters."""
    try:
        return visible(data.decode())
    except UnicodeDecodeError:
        return hexadecimal(data)
