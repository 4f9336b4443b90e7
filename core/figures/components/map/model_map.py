"""The whole run on one screen: from the text on the left to the words on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.figures.components.base import Component, data
from core.figures.components.map import picture
from core.figures.components.map.heads import Heads
from core.figures.components.map.part import TowerPart
from core.figures.components.map.sizes import ALONE, BESIDE, Sizes
from core.figures.components.map.towers import Answer, Tower
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, kw_only=True)
class Map(Component):
    """Towers side by side, each as its parts; of several layers one is open.

    The selection names the open block by its ``layer`` and, where there are several kinds, by its
    ``attention``; the outlined head by ``head``; a position of each tower by the tower's field.

    Attributes:
        towers: in the order of computation; the last one answers.
        answer: what it says.
        cells, entries: how many components of a vector, entries of the vocabulary a picture
            leaves out, in words.
    """

    folder: ClassVar[str] = "map"

    towers: Sequence[Tower]
    answer: Answer
    cells: str
    entries: str

    def payload(self) -> Payload:
        several = len(self.towers) > 1
        prefixes = [f"{tower.name}." if several else "" for tower in self.towers]
        both = list(zip(self.towers, prefixes, strict=True))
        header = self.header(
            mode="map",
            towers=[data(tower.header(prefix)) for tower, prefix in both],
            words=self.answer.words,
            answers=list(self.answer.places),
            title=self.title,
            labels=self.labels,
            sizes=self.sizes,
            foot=self.foot,
        )
        arrays = dict(pair for tower, prefix in both for pair in tower.arrays(prefix))
        return Payload(header, arrays | dict(self.answer.arrays()))

    @property
    def sizes(self) -> Sizes:
        """How wide its parts are."""
        return BESIDE if len(self.towers) > 1 else ALONE

    @property
    def labels(self) -> dict[str, Any]:
        """The words around the pictures."""
        return {
            "tokens": _("Tokens"),
            "block": _("layer {i}"),
            "open": _("Open layer {i}"),
            "head": _("head {h}"),
            "heads": _("heads"),
            "attention": _("attention"),
            "logits": _("Logits"),
            "next": self.answer.heading,
            "after": self.answer.at,
            "cells": self.cells,
            "entries": self.entries,
            "says": {
                "tokens": _("text cut up"),
                "logits": self.answer.says,
                "next": _("scores become probabilities"),
            },
        }

    @property
    def foot(self) -> list[str]:
        """What is written below the pictures."""
        shown = [tower.shown for tower in self.towers]
        notes = dict.fromkeys(part.note for tower in self.towers for part in tower.parts)
        return [line for line in (*shown, self.cells, self.entries, *notes) if line]

    # --- what is selected, as the browser works it out ---------------------------------------

    @property
    def opened(self) -> Tower:
        """The tower whose block is open, where there are blocks."""
        chosen = self.selection.get("attention")
        for tower in self.towers:
            if any(kind.attention == chosen for kind in tower.heads):
                return tower
        return self.towers[-1]

    @property
    def kind(self) -> Heads | None:
        """The kind of attention whose head is outlined; None where nothing attends."""
        chosen = self.selection.get("attention")
        kinds = [*self.opened.heads, *(kind for tower in self.towers for kind in tower.heads)]
        named = (one for one in kinds if one.attention == chosen)
        return next(named, kinds[0] if kinds else None)

    @property
    def attention(self) -> str | None:
        """Its name."""
        return None if self.kind is None else self.kind.attention

    def layer(self, part: TowerPart) -> int:
        """The open layer of a part."""
        return self._within("layer", part.n_layers)

    @property
    def head(self) -> int:
        """The outlined head."""
        return 0 if self.kind is None else self._within("head", self.kind.n_heads)

    def row(self, tower: Tower) -> int:
        """The outlined row of a tower's pictures."""
        return self._within(tower.field, len(tower.tokens), tower.first)

    def _within(self, name: str, n: int, first: int = 0) -> int:
        value: Any = self.selection.get(name)
        return max(0, min(n - 1, int(value or 0) - first))

    def drawing(self, mode: Mode) -> str:
        return picture.Picture(self, PALETTES[mode]).svg()
