"""The most probable segmentations of a word, and what is drawn where they are sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars, Follow
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import spelt
from core.models.needs import Needs
from core.runs.requests import Request
from core.text.lattice import Lattice, Way, score_of
from core.views.params import MAX_SEED, param
from core.views.text.tokenizing import ByPieces, word_shown
from core.views.text.unigram import Weighed, weighed, weighed_requests
from core.views.view import View

N_BEST, DRAWS = 6, 100
ALONE, OPEN = 0.99, 0.9  # above: others hardly count; below: they compete


@dataclass(frozen=True, slots=True)
class Sampling(ByPieces):
    """The same with samples of the segmentations.

    Attributes:
        smoothing: the power to which their probabilities are taken.
        seed: of the samples.
    """

    smoothing: float = param(0.2, low=0.0, high=1.0, label=N_("Smoothing α"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))


@dataclass(frozen=True)
class OfWord:
    """The segmentations of one word.

    Attributes:
        ways: the most probable ones, the best first.
        p: probability of each of them among all segmentations.
        smoothed: the same to the power alpha.
        drawn: how often each of them was drawn.
        n_different: how many different ones were drawn, those included that are not listed.
        first: the first draw.
    """

    ways: tuple[Way, ...]
    p: tuple[float, ...]
    smoothed: tuple[float, ...]
    drawn: tuple[int, ...]
    n_different: int
    first: Way


@dataclass(frozen=True)
class Ways:
    """The segmentations of each word.

    Attributes:
        weighed: the text.
        of: by the number of the word.
        params: what was asked for.
    """

    weighed: Weighed
    of: tuple[OfWord, ...]
    params: Sampling

    @property
    def shown(self) -> OfWord:
        """Those of the word that is looked at."""
        return self.of[self.weighed.word]

    def name(self, word: int) -> str:
        """A word."""
        return word_shown(self.weighed.words[word])

    def label(self, way: Way) -> str:
        """A segmentation as it is written."""
        return " | ".join(self.weighed.tokens(way)) or "–"


class Segmentations(View[Sampling, Ways]):
    """Three bars for each segmentation: as it is, smoothed, and drawn; a frame for each word."""

    name, Params, needs = "text.ways", Sampling, Needs(parts=("tokens",))

    def requests(self, params: Sampling) -> tuple[Request, ...]:
        return weighed_requests(params)

    def compute(self, runs: Sequence[Any], params: Sampling) -> Ways:
        found = weighed(runs, params)
        of = {one: _of_word(lattice, params) for one, lattice in found.lattices.items()}
        return Ways(found, tuple(of[one] for one in found.looked), params)

    def values(self, record: Ways) -> Mapping[str, Values]:
        one = record.shown
        rank = (Along("rank", _("rank"), [str(at) for at in range(len(one.ways))]),)
        labels = [*map(record.label, one.ways)]
        return {
            "cut": Values(_("segmentation"), np.array(labels, object), rank),
            "probability": Values(_("probability"), np.array(one.p), rank),
            "smoothed": Values(_("probability, smoothed"), np.array(one.smoothed), rank),
            "drawn": Values(_("drawn"), np.array(one.drawn), rank),
            "n_different": Values(_("different segmentations"), np.array(one.n_different)),
            "first": Values(_("first draw"), np.array(record.label(one.first), object)),
        }

    def describe(self, record: Ways) -> Sentence:
        return _reading(record, record.weighed.word)

    def draw(self, record: Ways) -> Bars:
        wide = max(len(one.ways) for one in record.of)
        values = np.full((len(record.of), 3, wide), np.nan)
        for n, one in enumerate(record.of):
            drawn = np.array(one.drawn) / DRAWS
            values[n, :, : len(one.ways)] = [one.p, one.smoothed, drawn]
        word = record.weighed.word
        return Bars(
            title=_title(record.name(word)),
            selection=record.params.selection(word=word),
            frames=[_frame(record, n) for n in range(len(record.of))],
            values=values,
            series=[
                Series(_("probability"), "weight"), Series(_("smoothed by α"), "key"),
                Series(_("share of the draws"), "value"),
            ],
            follow=Follow("word", first=word),
            stacked=True,
        )  # fmt: skip


def _of_word(lattice: Lattice, params: Sampling) -> OfWord:
    alpha = params.smoothing
    ways = tuple(way for _score, way in lattice.n_best(N_BEST))
    total, smooth = lattice.log_total, lattice.forward(alpha)[-1]
    samples = lattice.samples(alpha, DRAWS, np.random.default_rng(params.seed))
    counts = Counter(samples)
    return OfWord(
        ways=ways,
        p=tuple(exp(score_of(way) - total) for way in ways),
        smoothed=tuple(exp(alpha * score_of(way) - smooth) for way in ways),
        drawn=tuple(counts[way] for way in ways),
        n_different=len(counts),
        first=samples[0],
    )


def _title(word: str) -> str:
    return _("Segmentations of “{word}”, most probable first").format(word=word)


def _frame(record: Ways, word: int) -> BarFrame:
    said = str(_reading(record, word))
    rows = [
        BarRow(str(at), record.label(way), chosen=not at)
        for at, way in enumerate(record.of[word].ways)
    ]
    title = sentence("{title}", title=_title(record.name(word)))
    return BarFrame(rows, title=title, note=said, alt=said)


def _reading(record: Ways, word: int) -> Sentence:
    one = record.of[word]
    said = sentence(
        _("The best segmentation of “{word}” has probability {share}. With α = {alpha} it has "
          "{smoothed}. In {n} draws it finds {different}. The first is {first}."),
        word=Mark(record.name(word), "query"),
        share=Mark(percent(one.p[0]), "accent"),
        alpha=spelt(f"{record.params.smoothing:g}"),
        smoothed=Mark(percent(one.smoothed[0]), "accent"),
        n=str(DRAWS),
        different=Mark(
            ngettext("{n} way", "{n} ways", one.n_different).format(n=one.n_different), "accent"
        ),
        first=Mark(record.label(one.first), "strong"),
    )  # fmt: skip
    most_open = min(range(len(record.of)), key=lambda n: record.of[n].p[0])
    if one.p[0] <= ALONE or record.of[most_open].p[0] >= OPEN:
        return said
    other = sentence(
        _("Other segmentations hardly count here. Those of “{word}” in this text do."),
        word=Mark(record.name(most_open), "query"),
    )
    return join([said, other])
