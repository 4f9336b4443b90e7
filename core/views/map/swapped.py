"""What every picture of a whole run is given: a text, and what is changed in it and in its run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.inputs import Input, SourceTarget, Text
from core.language import N_
from core.models import what_if
from core.text import swaps
from core.views.given import OnGiven
from core.views.params import param


@dataclass(frozen=True, slots=True)
class OnSwapped(OnGiven):
    """A model, and a text or a picture that it reads.

    Attributes:
        swap: words of the text that others stand in the place of (``core.text.swaps``).
        off: what is changed in the run (``core.models.what_if``), joined by "+".
    """

    swap: str = param("", pattern=swaps.PATTERN, high=400, label=N_("Swapped words"),
                      form=N_("at most 4 swapped words, such as 1~dog~cat"))  # fmt: skip
    off: str = param("", pattern=what_if.all_read, high=650, label=N_("What if"),
                     form=N_("at most 8 changes, such as layer3.head1"))  # fmt: skip

    @property
    def swapped_words(self) -> list[swaps.Swap]:
        """Which words of its text are swapped; a picture has none."""
        return [] if self.picture else swaps.read(self.swap, self.text)

    @property
    def read_text(self) -> str:
        """The text that the model reads, its swapped words in their places."""
        return swaps.swapped(self.text, self.swapped_words)

    @property
    def changes(self) -> list[what_if.Change]:
        """What is changed inside the run."""
        return what_if.read_several(self.off)

    def reads(self, swapped: Sequence[swaps.Swap]) -> Input:
        """What the model is given where some words are swapped."""
        if self.picture:
            return self.given
        text = swaps.swapped(self.text, swapped)
        return SourceTarget(text, self.target) if self.target else Text(text)
