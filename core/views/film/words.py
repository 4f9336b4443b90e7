"""Rows of the token table as points of a plane, at one moment of the training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Plot, PlotAxis, Points
from core.figures.components.plot.parts import Symbol
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.film.words import GROUPS
from core.language import _
from core.views.film.frames import OfFilm, Shown
from core.views.view import Note, register

# Of the groups: where two colours are near each other, the shapes are not.
ROLES = ("query", "key", "value", "residual", "position", "weight", "warning")
SYMBOLS: tuple[Symbol, ...] = (
    "circle", "circle", "circle", "square", "square", "circle", "square",
)  # fmt: skip


@register
class FilmWords(OfFilm):
    """A point for each word, in the colour of its group; the axes stay as they are."""

    name = "film.words"

    def values(self, record: Shown) -> Mapping[str, Values]:
        seen = record.run.pictured
        directions = Along("direction", _("direction"), ["1", "2"])
        words = Along("word", _("word"), list(seen.words))
        own = Along("own", _("word of your text"), list(seen.own))
        return {
            "place": Values(_("place in the plane"), seen.places[record.at], (words, directions)),
            "own": Values(
                _("place of your words"), seen.own_places[record.at], (own, directions)
            ),
            "near": Values(
                _("share of words whose nearest word is of their group"), seen.near,
                (record.along,), selected=(record.at,),
            ),
        }  # fmt: skip

    def describe(self, record: Shown) -> Sentence:
        seen = record.run.pictured
        return join([
            sentence(
                _("{when}, the nearest other word is of the same group for {near} of the {n} "
                  "words."),
                when=Mark(record.when.capitalize(), "strong"),
                near=Mark(percent(float(seen.near[record.at])), "accent"), n=str(len(seen.words)),
            ),
            sentence(_("The groups are nowhere in the training.")),
        ])  # fmt: skip

    def show(self, record: Shown) -> Plot:
        seen = record.run.pictured
        every = np.concatenate([seen.places, seen.own_places], axis=1)
        (left, right), (low, high) = (_range(every[..., axis]) for axis in (0, 1))
        return Plot(
            title=_("Embeddings of words {when}").format(when=record.when),
            alt=str(self.describe(record)),
            x=PlotAxis(title=_("first direction"), range=(left, right)),
            y=PlotAxis(title=_("second direction"), range=(low, high)),
            series=_series(record),
            height=480,
        )

    def notes(self, record: Shown) -> Sequence[Note]:
        left = float(record.run.pictured.left[record.at])
        said = sentence(
            _("The plane is that in which the rows differ most at the end of the training. It is "
              "the same at every moment and shows {share} of how the rows differ now. The nearest "
              "word is found by the cosine of the whole rows."),
            share=percent(left),
        )  # fmt: skip
        return (Note("more", said),)


def _range(values: NDArray[np.floating]) -> tuple[float, float]:
    """An axis on which the places of all moments have room, and their words behind them."""
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.08 or 1.0
    return low - room, high + 1.5 * room


def _series(record: Shown) -> list[Points]:
    """A series for each group, and one for the words of the text."""
    seen = record.run.pictured
    places, of = seen.places[record.at], np.array(seen.groups)
    found = []
    for n, name in enumerate(GROUPS):
        own = np.flatnonzero(of == n)
        found.append(
            Points(
                x=places[own, 0], y=places[own, 1], role=ROLES[n], size=7, symbol=SYMBOLS[n],
                name=_(name),
                labels=[seen.words[at] for at in own],
                text=[seen.words[at] for at in own], hover="{text}: {name}",
            )
        )  # fmt: skip
    if seen.own:
        yours = seen.own_places[record.at]
        found.append(
            Points(
                x=yours[:, 0], y=yours[:, 1], role="text", size=9, symbol="diamond",
                name=_("your words"), labels=list(seen.own), text=list(seen.own), hover="{text}",
            )
        )  # fmt: skip
    return found
