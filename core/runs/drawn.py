"""What comes back when a text is continued several times. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from core.sizes import OBJECT, held


@dataclass(frozen=True, slots=True)
class Drawn:
    """Continuations of a text.

    Attributes:
        text: that was continued: all of it that has room.
        texts: what stands behind it, each time.
    """

    text: str
    texts: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        return held(self.text, self.texts) + OBJECT
