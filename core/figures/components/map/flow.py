"""The run as one picture that flows: rows of numbers, and from where each of them takes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.figures.components.map.model_map import Map
from core.figures.components.map.part import picture
from core.figures.components.map.told import Part, so_far
from core.figures.components.strip import Chip
from core.figures.payload import Payload
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
class Cut:
    """A picture, and the squares that it is cut into.

    Attributes:
        pixels: ``(height, width)`` bytes, or ``(height, width, 3)``.
        size: rows and columns of pixels of a square.
        first: the position of the first square.
    """

    pixels: NDArray[np.uint8]
    size: int
    first: int


@dataclass(frozen=True, kw_only=True)
class Flow(Map):
    """A map whose parts are one drawing; a layer of it opens where it stands.

    The selection names the open layer by ``place``, and a position of each tower by its field.

    Attributes:
        passes: in their order; the first is told slowly.
        guesses: of each token of the last tower, the word that would follow each layer, and its
            probability; none where that cannot be told.
        lines: the tokens of each tower as they stand in its text.
        begins: what happens before them, in a sentence.
        captions: a sentence for each part of what is told: "text", "cut", "rows", "layers",
            "words", "born", "again".
        guesses_before: the same with nothing changed, where it was another word; else an empty one.
        off: what is changed, by the names of the link.
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

    passes: Sequence[Pass]
    guesses: Sequence[Sequence[tuple[str, float]]]
    lines: Sequence[Sequence[str]]
    begins: str
    captions: Mapping[str, str]
    guesses_before: Sequence[Sequence[tuple[str, float]]] = ()
    off: Sequence[str] = ()
    was: NDArray[np.floating[Any]] | None = None
    reached: Part | None = None
    told: Sequence[str] = ()
    rows: int = 0
    picture: Cut | None = None
    above: Sequence[str] = ()

    def payload(self) -> Payload:
        plain = super().payload()
        own = {
            "passes": [one.as_data() for one in self.passes],
            "guesses": [[list(guess) for guess in one] for one in self.guesses],
            "guesses_before": [[list(guess) for guess in one] for one in self.guesses_before],
            "lines": [list(one) for one in self.lines],
            "begins": self.begins,
            "captions": dict(self.captions),
            "off": list(self.off),
            "rows": self.rows,
            "above": list(self.above),
        }
        was: dict[str, NDArray[Any]] = {} if self.was is None else {"was": picture(self.was)}
        if self.picture is not None:
            own["cut"] = {"size": self.picture.size, "first": self.picture.first}
            was["pixels"] = np.ascontiguousarray(self.picture.pixels)
        whole = Payload({**plain.header, **own}, {**plain.arrays, **self._weights(), **was})
        return whole if self.reached is None else so_far(whole, self.reached, self.told)

    def _weights(self) -> dict[str, NDArray[np.float32]]:
        """All weights as they are: here they are read as numbers, not as shades of a picture."""
        several = len(self.towers) > 1
        return {
            f"{tower.name + '.' if several else ''}{n}.{kind.array}.{layer}": picture(maps)
            for tower in self.towers
            for n, part in enumerate(tower.parts)
            for kind in part.attentions
            for layer, maps in enumerate(kind.maps)
        }

    @property
    def labels(self) -> dict[str, Any]:
        return {
            **super().labels,
            **({} if self.picture is None else {"tokens": _("Patches")}),
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
            "out": _("Back to the whole model"),
            "back": _("Back to the layer"),
            "cell": _("cell"),
            "back_part": _("One step back"),
            "go_in": _("Touch it again to go in."),
        }
