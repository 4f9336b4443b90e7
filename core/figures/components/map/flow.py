"""The run as one picture that flows: rows of numbers, and from where each of them takes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures.components.base import Component, data
from core.figures.components.map import picture as drawn
from core.figures.components.map.part import TowerPart, picture
from core.figures.components.map.told import StoryPart, so_far
from core.figures.components.map.towers import Tower, TowerAnswer
from core.figures.components.strip import Chip
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, eq=False, kw_only=True)
class Pass:
    """One time through the layers, up to a word.

    Attributes:
        row: of the last tower, that the word is said at.
        born: the word as a token, where it is put behind what is there; None where it is not.
        said: what happens in it, in a sentence.
    """

    row: int
    born: Chip | None
    said: str

    def as_data(self) -> dict[str, Any]:
        """As the browser reads it."""
        return {
            "row": self.row,
            "born": None if self.born is None else self.born.as_data(),
            "said": self.said,
        }


@dataclass(frozen=True, eq=False, slots=True)
class CutPicture:
    """A picture, and the squares that it is cut into.

    Attributes:
        pixels: ``(height, width)`` bytes, or ``(height, width, 3)``.
        size: rows and columns of pixels of a square.
        first: the position of the first square.
    """

    pixels: NDArray[np.uint8]
    size: int
    first: int


@dataclass(frozen=True, slots=True)
class OpenedPlace:
    """What a file draws large.

    Attributes:
        stream: the tower whose layer is open.
        layer: that is.
        attention: the kind of attention of the outlined head.
        head: that is outlined; None for none.
    """

    stream: str
    layer: int = 0
    attention: str = ""
    head: int | None = None


@dataclass(frozen=True, kw_only=True)
class Flow(Component):
    """Towers side by side, each as its parts; a layer of them opens where it stands.

    The selection names the open layer by ``place``, and a position of each tower by its field.

    Attributes:
        towers: in the order of computation; the last one answers.
        answer: what it says.
        cells, entries: how many components of a vector, entries of the vocabulary a picture
            leaves out, in words.
        opened: what a file draws large.
        passes: in their order; the first is told slowly.
        guesses: of each token of the last tower, the word that would follow each layer, and its
            probability; none where that cannot be told.
        lines: the tokens of each tower as they stand in its text.
        begins: what happens before them, in a sentence.
        captions: a sentence for each station of what is told: "text", "cut", "rows", "layers",
            "asks", "fits" and "takes" (of any head: its layer, token, key and share are to be
            filled in), "guesses", "words", "born", "again".
        resting: that attention which finds nothing rests on the mark at the start, in a sentence;
            empty where little does, or the mark is not drawn.
        zoom: the place that is gone into at the stations of a head; empty for none.
        guesses_before: the same with nothing changed, where it was another word; else an empty one.
        off: what is changed, by the names of the link.
        lines_cut: those of it that take a line away, by the rows that are drawn.
        was: how likely the words are with nothing changed, ``(tokens, words)``; None where nothing
            is.
        reached: the part that somebody who is led through it has come to; None for all of it. A
            drawing that is saved shows all.
        told: for each part a sentence.
        rows: that have room, with those of words to come.
        picture: that the tokens are squares of; None of a text.
        above: of each tower, what of its tokens is not drawn; empty where all is.
    """

    folder: ClassVar[str] = "flow"

    towers: Sequence[Tower]
    answer: TowerAnswer
    cells: str
    entries: str
    opened: OpenedPlace
    passes: Sequence[Pass]
    guesses: Sequence[Sequence[tuple[str, float]]]
    lines: Sequence[Sequence[str]]
    begins: str
    captions: Mapping[str, str]
    resting: str = ""
    zoom: str = ""
    guesses_before: Sequence[Sequence[tuple[str, float]]] = ()
    off: Sequence[str] = ()
    lines_cut: Sequence[str] = ()
    was: NDArray[np.floating[Any]] | None = None
    reached: StoryPart | None = None
    told: Sequence[str] = ()
    rows: int = 0
    picture: CutPicture | None = None
    above: Sequence[str] = ()

    def payload(self) -> Payload:
        several = len(self.towers) > 1
        prefixes = [f"{tower.name}." if several else "" for tower in self.towers]
        both = list(zip(self.towers, prefixes, strict=True))
        header = self.header(
            towers=[data(tower.header(prefix)) for tower, prefix in both],
            words=self.answer.words,
            title=self.title,
            labels=self.labels,
            passes=[pass_.as_data() for pass_ in self.passes],
            guesses=[[list(guess) for guess in row] for row in self.guesses],
            guesses_before=[[list(guess) for guess in row] for row in self.guesses_before],
            lines=[list(line) for line in self.lines],
            begins=self.begins,
            captions=dict(self.captions),
            zoom=self.zoom,
            resting=self.resting,
            off=list(self.off),
            lines_cut=list(self.lines_cut),
            rows=self.rows,
            above=list(self.above),
        )
        arrays = dict(pair for tower, prefix in both for pair in tower.arrays(prefix))
        arrays |= dict(self.answer.arrays())
        if self.was is not None:
            arrays["was"] = picture(self.was)
        if self.picture is not None:
            header["cut"] = {"size": self.picture.size, "first": self.picture.first}
            arrays["pixels"] = np.ascontiguousarray(self.picture.pixels)
        whole = Payload(header, arrays)
        return whole if self.reached is None else so_far(whole, self.reached, self.told)

    @property
    def labels(self) -> dict[str, Any]:
        return {
            "tokens": _("Tokens") if self.picture is None else _("Patches"),
            "block": _("layer {i}"),
            "open": _("Open layer {i}"),
            "head": _("head {h}"),
            "logits": _("Logits"),
            "next": self.answer.heading,
            "after": self.answer.at,
            "guess": _("best guess so far"),
            "guess_after": _("best guess after “{token}”"),
            "guess_before": _("with nothing changed"),
            "others": _("all others:"),
            "after_layer": _("after layer {i}"),
            "into": _("in"),
            "out_of": _("out"),
            "component": _("number {n} of its row"),
            "closing": _("Close layer {i}"),
            "open_part": _("Open: {part}"),
            "close_part": _("Close: {part}"),
            "watch": _("Watch it again"),
            "stop": _("Pause"),
            "go_on": _("Go on"),
            "skip": _("Skip"),
            "next_part": _("Next"),
            "count": _("{n} of {of}"),
            **self._aside(),
            "out": _("Back to the whole model"),
            "back": _("Back to the layer"),
            "cell": _("cell"),
            "back_part": _("One step back"),
            "go_in": _("Touch it again to go in."),
        }

    def _aside(self) -> dict[str, str]:
        """How the mark at the start is left out of the picture, and what that means."""
        mark = next((token.label for token in self.towers[0].tokens), "")
        template = _(
            "{mark} is left out of the picture: the other weights of each row are scaled up "
            "to 100 %. The model still uses it, and sentences say the model's own "
            "numbers."
        )
        return {
            "aside": _("Leave {mark} out of the picture").format(mark=mark),
            "is_aside": template.format(mark=mark),
            "back_again": _("Show {mark} again").format(mark=mark),
        }

    @property
    def foot(self) -> list[str]:
        """What is written below a drawing."""
        shown = [tower.shown for tower in self.towers]
        notes = dict.fromkeys(part.note for tower in self.towers for part in tower.parts)
        return [line for line in (*shown, self.cells, self.entries, *notes) if line]

    def layer(self, part: TowerPart) -> int:
        """The layer of a part that a file draws open."""
        return min(self.opened.layer, part.n_layers - 1)

    def row(self, tower: Tower) -> int:
        """The outlined row of a tower's pictures."""
        row: Any = self.selection.get(tower.field)
        return max(0, min(len(tower.tokens) - 1, int(row or 0) - tower.first))

    def drawing(self, mode: Mode) -> str:
        return drawn.RunDrawing(self, PALETTES[mode]).svg()
