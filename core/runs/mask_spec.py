"""An attention mask as a few characters of a link."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import ParameterError
from core.language import N_

MaskKind = Literal["own", "none", "causal", "padding", "prefix", "window", "painted", "opposite"]
_PLAIN = ("own", "none", "causal", "padding")
_SIZED = ("prefix", "window", "painted")
MASK_FORM = N_("own, none, causal, padding, prefix:N, window:N or painted")
Cells = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MaskSpec:
    """Which mask.

    Written "own" (the model's), "none", "causal", "padding" (the model's own, and
    nobody sees what fills the row up), "prefix:3", "window:2" or "painted:5:..."
    (size, then the rows' bits in base64url). No link says "opposite", which is what differs most
    from the model's own: no mask from a causal one, a causal one from none, and nothing in sight
    from one that lets a sequence see all of another.

    Attributes:
        kind: which mask.
        size: of the prefix or window; side of a painted mask.
        bits: the cells of a painted mask.
    """

    kind: MaskKind = "own"
    size: int = 0
    bits: str = ""

    @classmethod
    def parse(cls, text: str) -> MaskSpec:
        """Read the written form.

        Raises:
            ParameterError: it is none.
        """
        kind, _, rest = text.partition(":")
        size, _, bits = rest.partition(":")
        wrong = ParameterError("mask", text[:40], MASK_FORM)
        if kind in _PLAIN and not rest:
            return cls(kind)  # type: ignore[arg-type]
        if kind in _SIZED and re.fullmatch("[0-9]{1,6}", size):
            spec = cls(kind, int(size), bits)  # type: ignore[arg-type]
            if kind != "painted" and not bits:
                return spec
            if kind == "painted" and spec.cells() is not None:
                return spec
        raise wrong

    def __str__(self) -> str:
        if self.kind not in _SIZED:
            return self.kind
        return f"{self.kind}:{self.size}" + (f":{self.bits}" if self.kind == "painted" else "")

    @classmethod
    def painted(cls, may_attend: Cells) -> MaskSpec:
        """The written form of a hand-made mask ``(T, T)``."""
        packed = np.packbits(may_attend.reshape(-1)).tobytes()
        bits = base64.urlsafe_b64encode(packed).decode().rstrip("=")
        return cls("painted", may_attend.shape[0], bits)

    def cells(self) -> Cells | None:
        """The cells of a painted mask; None when the bits do not fill a square."""
        try:
            padded = self.bits + "=" * (-len(self.bits) % 4)
            packed = np.frombuffer(base64.urlsafe_b64decode(padded), np.uint8)
        except (binascii.Error, ValueError):
            return None
        n = self.size * self.size
        if not n or len(packed) != -(-n // 8):
            return None
        return np.unpackbits(packed)[:n].reshape(self.size, self.size).astype(bool)


OWN_MASK = MaskSpec()
OPPOSITE = MaskSpec("opposite")
