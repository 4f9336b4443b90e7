"""What there is to remark on a text that was typed. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.sizes import held

Kind = Literal["nothing", "hides", "gap", "named", "blank", "cut", "unread", "composed", "mistaken"]


@dataclass(frozen=True, slots=True)
class Guess:
    """What a model expects next most.

    Attributes:
        word: as it stands on a chip, a leading space as a dot.
        share: its probability.
    """

    word: str
    share: float


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a text that a reader of tokens should know.

    Attributes:
        kind: "nothing" of it is read; it "hides" a word with what is no mark here; a "gap" is
            left for a model that fills none; a mark is "named" in it, as text; a "blank" stands
            at its end; its end is "cut"; letters in it are "unread"; letters were "composed" of
            several characters; its translation is "mistaken".
        found: the pieces of the text that it is about; of what hides also the model's own mark;
            of what is mistaken how the model translates it, and what it means.
        n: tokens: of what is text or unread, or the room of the model that cuts.
        mended: the text without it; empty where nothing can be mended.
        guesses: what is expected after the text, and after the mended one.
    """

    kind: Kind
    found: tuple[str, ...] = ()
    n: int = 0
    mended: str = ""
    guesses: tuple[Guess, Guess] | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """All remarks on a text, what matters most first.

    Attributes:
        remarks: them.
    """

    remarks: tuple[Remark, ...]

    @property
    def nbytes(self) -> int:
        return held(self)
