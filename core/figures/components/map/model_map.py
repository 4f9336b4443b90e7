"""The whole run on one screen: from the text on the left to the words on the right."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.figures.components.base import Component, data
from core.figures.components.map import picture
from core.figures.components.map.towers import Answer, Tower
from core.figures.components.map.way import Way
from core.figures.payload import Payload
from core.figures.theme import PALETTES, Mode
from core.language import _


@dataclass(frozen=True, kw_only=True)
class Map(Component):
    """Towers side by side, one block of one of them open.

    The selection names the open block by its ``layer`` and, where there are several kinds, by its
    ``attention``; the outlined head by ``head``; a position of each tower by the tower's field.

    Attributes:
        towers: in the order of computation; the last one answers.
        answer: what it says.
        cells, entries: how many components of a vector, entries of the vocabulary a picture
            leaves out, in words.
        way: of one token, and how much of the map it has opened; None for a map that is open
            without one. A drawing that is saved has no way, and all of it is open.
    """

    folder: ClassVar[str] = "map"

    towers: Sequence[Tower]
    answer: Answer
    cells: str
    entries: str
    way: Way | None = None

    def ahead(self) -> Map | None:
        """The same before the last part of its way; None where there is no such part."""
        if self.way is None or self.way.reached < 1:
            return None
        return dataclasses.replace(
            self, way=dataclasses.replace(self.way, reached=self.way.reached - 1)
        )

    def payload(self) -> Payload:
        several = len(self.towers) > 1
        prefixes = [f"{tower.name}." if several else "" for tower in self.towers]
        both = list(zip(self.towers, prefixes, strict=True))
        header = self.header(
            mode="map",
            towers=[data(tower.header(prefix)) for tower, prefix in both],
            words=self.answer.words,
            title=self.title,
            labels=self.labels,
        )
        if self.way is not None:
            own = header | self.way.header(self)
            return Payload(own, dict(self.way.arrays(self)))
        arrays = dict(pair for tower, prefix in both for pair in tower.arrays(prefix))
        return Payload(header, arrays | dict(self.answer.arrays()))

    @property
    def labels(self) -> dict[str, Any]:
        """The words around the pictures."""
        return {
            "tokens": _("Tokens"),
            "embeddings": _("Embeddings"),
            "blocks": _("Layers"),
            "block": _("layer {i}"),
            "open": _("Open layer {i}"),
            "head": _("head {h}"),
            "heads": _("heads"),
            "of_token": _("token"),
            "of_place": _("place"),
            "attention": _("attention"),
            "norm": _("norm"),
            "ffn": _("feed-forward"),
            "add": _("sum: the residual stream"),
            "logits": _("Logits"),
            "next": self.answer.heading,
            "after": self.answer.at,
            "cells": self.cells,
            "entries": self.entries,
            "says": {
                "tokens": _("text cut up"),
                "embeddings": _("words become vectors"),
                "blocks": _("tokens exchange information, then each is worked on alone"),
                "final": _("one size again"),
                "logits": _("every entry scored"),
                "next": _("scores become probabilities"),
            },
            "ffn_note": _("bars: how much the feed-forward network writes for each token"),
        }

    @property
    def foot(self) -> list[str]:
        """What is written below the pictures."""
        shown = [tower.shown for tower in self.towers]
        lines = [*shown, self.cells, self.entries, self.labels["ffn_note"]]
        return [line for line in lines if line]

    # --- what is selected, as the browser works it out ---------------------------------------

    @property
    def opened(self) -> Tower:
        """The tower whose block is open."""
        chosen = self.selection.get("attention")
        for tower in self.towers:
            if any(kind.attention == chosen for kind in tower.heads):
                return tower
        return self.towers[-1]

    @property
    def attention(self) -> str:
        """The kind of attention whose head is outlined."""
        chosen, own = self.selection.get("attention"), self.opened.heads
        return next((k.attention for k in own if k.attention == chosen), own[0].attention)

    @property
    def layer(self) -> int:
        """The open block."""
        return self._within("layer", self.opened.n_layers)

    @property
    def head(self) -> int:
        """The outlined head."""
        return self._within("head", self.opened.n_heads)

    def row(self, tower: Tower) -> int:
        """The outlined row of a tower's pictures."""
        return self._within(tower.field, len(tower.tokens), tower.first)

    def _within(self, name: str, n: int, first: int = 0) -> int:
        value: Any = self.selection.get(name)
        return max(0, min(n - 1, int(value or 0) - first))

    def drawing(self, mode: Mode) -> str:
        return picture.Picture(self, PALETTES[mode]).svg()
