"""What every picture of a whole run is given: a text, some of whose words are swapped."""

from __future__ import annotations

from dataclasses import dataclass

from core.language import N_
from core.text import swaps
from core.views.given import OnGiven
from core.views.params import param


@dataclass(frozen=True, slots=True)
class OnSwapped(OnGiven):
    """A model, and a text or a picture that it reads.

    Attributes:
        swap: words of the text that others stand in the place of (``core.text.swaps``).
    """

    swap: str = param("", pattern=swaps.PATTERN, high=400, label=N_("Swapped words"),
                      form=N_("at most 4 swapped words, such as 1~dog~cat"))  # fmt: skip

    @property
    def swapped_words(self) -> list[swaps.Swap]:
        """Which words of its text are swapped; a picture has none."""
        return [] if self.picture else swaps.read(self.swap, self.text)

    @property
    def read_text(self) -> str:
        """The text that the model reads, its swapped words in their places."""
        return swaps.swapped(self.text, self.swapped_words)
