"""Rows of the token table as points of a plane, at one moment of the training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.figures.components.plot import Plot, PlotAxis, Points
from core.figures.components.plot.parts import Side, Symbol
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.film.words import GROUPS
from core.language import _
from core.runs.filmed import Pictured
from core.views.film.frames import OfFilm, Shown
from core.views.view import Note

# Of the groups: where two colours are near each other, the shapes are not.
ROLES = ("query", "key", "value", "residual", "position", "weight", "warning")
SYMBOLS: tuple[Symbol, ...] = (
    "circle", "circle", "circle", "square", "square", "circle", "square",
)  # fmt: skip
FIELDS = ((290.0, 250.0), (480.0, 300.0))  # pixels in which the points lie: of a phone, of a page
LETTER, LINE, BESIDE, DOT = 6.6, 12.0, 7.0, 4.0  # pixels of a label, to its point, and around that


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

    def draw(self, record: Shown) -> Plot:
        seen = record.run.pictured
        across, up = _axes(seen)
        return Plot(
            title=_("Embeddings of words {when}").format(when=record.when),
            x=PlotAxis(title=_("first direction"), range=across),
            y=PlotAxis(title=_("second direction"), range=up),
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
        labels, _sides = written(record.run.pictured, record.at)
        if all(labels):
            return (Note("more", said),)
        fewer = _(
            "Labels that would lie on each other are left out: point at a dot to read its word."
        )
        return Note("more", said), Note("more", sentence(fewer))


def _range(values: NDArray[np.floating]) -> tuple[float, float]:
    """An axis on which the places of all moments have room, and their words behind them."""
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.08 or 1.0
    return low - room, high + 1.5 * room


def _axes(seen: Pictured) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of both axes."""
    every = np.concatenate([seen.places, seen.own_places], axis=1)
    return _range(every[..., 0]), _range(every[..., 1])


@lru_cache(maxsize=16)  # the picture and its note ask for it, and so does who steps back
def written(seen: Pictured, at: int) -> tuple[list[str], list[Side]]:
    """What is written beside each point, and on which side: on no other label, on no other point.

    Words of the text come first, and may lie on points; a word without room is left out.

    Args:
        seen: the words.
        at: the frame.
    """
    places = np.concatenate([seen.own_places[at], seen.places[at]])
    ranges = np.array(_axes(seen))
    shares = (places - ranges[:, 0]) / (ranges[:, 1] - ranges[:, 0])
    points = np.stack([shares * field for field in FIELDS])  # (fields, points, 2)
    # What is taken, of each field: the lower left and the upper right end.
    taken = np.stack([points - DOT, points + DOT], axis=2)
    sides: tuple[Side, Side] = ("right", "left")
    found: dict[int, Side] = {}
    for n, word in enumerate((*seen.own, *seen.words)):
        for side, ends in zip(sides, _beside(points[:, n], LETTER * len(word)), strict=True):
            inside = (ends[:, 0, 0] >= 0) & (ends[:, 1, 0] <= np.array(FIELDS)[:, 0])
            others = taken[:, len(places) :] if n < len(seen.own) else taken  # hers lies on points
            over = (others[:, :, 0] < ends[:, None, 1]) & (others[:, :, 1] > ends[:, None, 0])
            if inside.all() and not over.all(axis=-1).any():
                found[n] = side
                taken = np.concatenate([taken, ends[:, None]], axis=1)
                break
    own = len(seen.own)
    order = [*range(own, own + len(seen.words)), *range(own)]
    words = (*seen.own, *seen.words)
    return [words[n] if n in found else "" for n in order], [found.get(n, "right") for n in order]


def _beside(points: NDArray[np.floating], wide: float) -> Iterator[NDArray[np.floating]]:
    """The ends ``(fields, 2, 2)`` of a label to the right and to the left of a point."""
    for start in (BESIDE, -BESIDE - wide):
        low = np.add(points, (start, -LINE / 2))
        yield np.stack([low, np.add(low, (wide, LINE))], axis=1)


def _series(record: Shown) -> list[Points]:
    """A series for each group, and one for the words of the text."""
    seen = record.run.pictured
    places, of = seen.places[record.at], np.array(seen.groups)
    labels, sides = written(seen, record.at)
    found = []
    for n, name in enumerate(GROUPS):
        own = np.flatnonzero(of == n)
        found.append(
            Points(
                x=places[own, 0], y=places[own, 1], role=ROLES[n], size=7, symbol=SYMBOLS[n],
                name=_(name),
                labels=[labels[at] for at in own], sides=[sides[at] for at in own],
                text=[seen.words[at] for at in own], hover="{text}: {name}",
            )
        )  # fmt: skip
    if seen.own:
        yours = seen.own_places[record.at]
        found.append(
            Points(
                x=yours[:, 0], y=yours[:, 1], role="text", size=9, symbol="diamond",
                name=_("your words"), labels=labels[len(seen.words) :],
                sides=sides[len(seen.words) :], text=list(seen.own), hover="{text}",
            )
        )  # fmt: skip
    return found
