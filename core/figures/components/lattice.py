"""A lattice over the letters of a word: an arc for each entry, and the best way through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.figures import drawing
from core.figures.components.base import COVERED, Component
from core.figures.drawing import rect
from core.figures.payload import Payload
from core.figures.text import Sentence
from core.figures.theme import PALETTES, Mode, Palette
from core.language import _

CELL, LEFT = 54.0, 26.0  # pixels of a letter in a file, and left of the first
LOW, HIGH = 18.0, 17.0  # height of an arc over one letter, and more for each further one
LINE = 18.0  # of what is written beneath


@dataclass(frozen=True, slots=True)
class Arc:
    """An entry of the vocabulary over its letters.

    Attributes:
        start, end: the places between which it stands.
        label: as it is written.
        before: log-probability of the best way to its start, as it is written.
        score: its own.
        total: that of the best way to its end that goes through it.
        best: no other arc into its end has a higher total.
        path: it is on the best way to the end of the word.
    """

    start: int
    end: int
    label: str
    before: str
    score: str
    total: str
    best: bool
    path: bool


@dataclass(frozen=True, slots=True)
class WordLattice:
    """A word with its arcs.

    Attributes:
        title, alt, note: in words.
        letters: as they are written.
        arcs: by their start.
        scores: of the best way to each place, as they are written; one more than letters.
        says: one sentence a step: at the first place, at each further one, and at the end.
    """

    title: str
    alt: str
    note: str
    letters: Sequence[str]
    arcs: Sequence[Arc]
    scores: Sequence[str]
    says: Sequence[Sentence]


@dataclass(frozen=True, kw_only=True)
class Lattice(Component):
    """The lattices of all words of a text; equal words share one.

    Step n looks at place n; the last step reads the best way off from the end.

    Attributes:
        lattices: one a distinct word.
        of: for each word of the text the place of its lattice.
        first: the word that is shown while none is selected.
    """

    folder: ClassVar[str] = "lattice"

    lattices: Sequence[WordLattice]
    of: Sequence[int]
    first: int

    def payload(self) -> Payload:
        labels = {
            "entry": _("entry that ends here"), "before": _("best before it"),
            "own": _("its own"), "total": _("together"),
        }  # fmt: skip
        return Payload(
            self.header(lattices=self.lattices, of=self.of, first=self.first, labels=labels)
        )

    @property
    def shown(self) -> WordLattice:
        """That of the selected word."""
        word = self.selection.get("word")
        index = self.first if word is None else int(word)
        return self.lattices[self.of[max(0, min(len(self.of) - 1, index))]]

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Lattice:
        """The letters of the word that is shown: what the best way is, is what is asked."""
        word = self.shown
        bare = WordLattice(word.title, _(COVERED), "", word.letters, (), (), ())
        return Lattice(title=self.title, alt=_(COVERED), lattices=[bare], of=[0], first=0)

    def step_of(self, word: WordLattice) -> int:
        """The step that is shown."""
        last, join = max(0, len(word.says) - 1), self.selection.get("join")
        return last if join is None else max(0, min(last, int(join)))

    def drawing(self, mode: Mode) -> str:
        palette, word = PALETTES[mode], self.shown
        step, n = self.step_of(word), len(word.letters)
        read = step > n
        drawn = [arc for arc in word.arcs if arc.end <= step]
        tall = max((_height(arc) for arc in word.arcs), default=0.0)
        base = 44.0 + tall
        arcs = [_arc(arc, base, palette, step, read=read) for arc in drawn]
        # No curve crosses a number.
        body = [part for parts in zip(*arcs, strict=True) for part in parts]
        for place, letter in enumerate(word.letters):
            x = LEFT + CELL * place
            body.append(rect(x + 2, base + 4, CELL - 4, 22, palette.surface, "rx='4'"))
            body.append(drawing.text(x + CELL / 2, base + 20, letter, palette.text, "middle"))
        for place, score in enumerate(word.scores[: step + 1]):
            now = place == step
            ink, bold = (palette.accent, "font-weight='700'") if now else (palette.muted, "")
            body.append(drawing.text(LEFT + CELL * place, base + 42, score, ink, "middle", bold))
        y = base + 44
        for line in self._lines(word, step):
            y += LINE
            body.append(drawing.text(8, y, line, palette.muted))
        wide = max((len(line) for line in self._lines(word, step)), default=0)
        width = max(LEFT * 2 + CELL * n, 16 + drawing.CHAR * wide, 16 + 8.2 * len(word.title))
        return drawing.frame(width, y + 14, word.title, word.alt, body, palette)

    def _lines(self, word: WordLattice, step: int) -> list[str]:
        """What is written beneath: the entries that end at this place, and what is said of it."""
        lines = [
            f"{arc.before} + ({arc.score}) = {arc.total}  {arc.label}"
            for arc in word.arcs
            if arc.end == step
        ]
        sentence = str(word.says[step]) if word.says else ""
        return [*lines, *filter(None, [sentence, word.note])]


def _height(arc: Arc) -> float:
    return LOW + HIGH * (arc.end - arc.start - 1)


def _arc(arc: Arc, base: float, palette: Palette, step: int, *, read: bool) -> tuple[str, str]:
    """A curve, and its score where it ends at the place that is looked at or is on the best way."""
    a, b, top = LEFT + CELL * arc.start, LEFT + CELL * arc.end, base - _height(arc)
    strong = arc.path if read else arc.best and arc.end == step
    named = arc.path if read else arc.end == step
    ink = palette.accent if strong else palette.text if named else palette.border
    # The highest point of such a curve is three quarters of the way to its handles.
    handle = base - (base - top) * 4 / 3
    stroke = f"stroke='{ink}' stroke-width='{3 if strong else 1.4}'"
    curve = (
        f"<path d='M{a:.1f} {base:.1f}C{a:.1f} {handle:.1f} {b:.1f} {handle:.1f} {b:.1f} "
        f"{base:.1f}' fill='none' {stroke}/>"
    )
    if not named:
        return curve, ""
    return curve, drawing.text((a + b) / 2, top - 3, arc.score, ink, "middle")
