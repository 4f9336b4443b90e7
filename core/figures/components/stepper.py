"""Numbered steps with play, pause, back and on; what a step looks like is drawn by who follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.figures import drawing
from core.figures.components.base import Component
from core.figures.payload import Payload
from core.figures.text import Sentence
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, kw_only=True)
class Stepper(Component):
    """Steps 0 to ``n - 1``.

    Attributes:
        alt: the title of the first, or its text, when empty.
        n: how many steps; as many as there are titles, or texts, when 0.
        first: where it stands when the page opens.
        field: the field of the selection that it moves.
        titles, texts: of each step; empty for none.
        clears: fields of the selection that a step lets go of.
        pace: milliseconds a step while it plays.
        keys: the page's arrow keys move it; on a page with two, the main one's.
        n_by: ``{"field", "first", "counts"}`` where the number of steps depends on a
            selection: one count for each value of it, and the value while there is none.
        deck: it turns over the sections of a page, of which one is shown at a time.
        before: how many come before the first that is counted. With 1 the first step is the state
            before anything is done, "0 of 16"; else the count says which step it is, "1 of 9".
        after: how many come after the last that is counted.
    """

    folder: ClassVar[str] = "stepper"

    n: int = 0
    first: int
    field: str = "step"
    titles: Sequence[str] = ()
    texts: Sequence[Sentence] = ()
    clears: Sequence[str] = ()
    pace: int = 900
    keys: bool = True
    n_by: Mapping[str, Any] | None = None
    deck: bool | None = None
    before: int | None = None
    after: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        texts = self.titles or self.texts
        if not self.alt and texts:
            object.__setattr__(self, "alt", str(texts[min(self.first, len(texts) - 1)]))
        object.__setattr__(self, "n", self.n or len(texts))

    def payload(self) -> Payload:
        labels = {
            "back": _("Previous section") if self.deck else _("Previous step"),
            "next": _("Next section") if self.deck else _("Next step"),
            # Several may be on a page, of which one turns its sections.
            "slider": _("Section") if self.deck else _("Step: {title}").format(title=self.title),
            "opens": _("Step through"),
            "what": self.title,
            "play": _("Play"),
            "pause": _("Pause"),
            "count": _("{i} of {n}"),
        }
        fields = (
            "n",
            "first",
            "field",
            "titles",
            "texts",
            "clears",
            "pace",
            "keys",
            "n_by",
            "deck",
            "before",
            "after",
        )
        return Payload(self.header(labels=labels, **{name: getattr(self, name) for name in fields}))

    @property
    def step(self) -> int:
        """The step that is shown."""
        chosen = self.selection.get(self.field)
        return max(0, min(self.n - 1, self.first if chosen is None else int(chosen)))

    def drawing(self, mode: Mode) -> str:
        """The step's number, title and text: what a handout says of it."""
        palette, index = PALETTES[mode], self.step
        before = self.before or 0
        words = [_("{i} of {n}").format(i=index + 1 - before, n=self.n - before)]
        words += [self.titles[index]] if self.titles else []
        words += [str(self.texts[index])] if self.texts else []
        body = [
            drawing.text(8, 40 + 18 * row, line, palette.text) for row, line in enumerate(words)
        ]
        width = 16 + drawing.CHAR * max(map(len, words))
        return drawing.frame(width, 50 + 18 * len(words), self.title, self.alt, body, palette)
