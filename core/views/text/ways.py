"""The most probable segmentations of a word, and what is drawn where they are sampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.bars import Series
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models.needs import Needs
from core.runs.requests import Request
from core.spelling import visible
from core.text.lattice import Way, score_of
from core.views.params import MAX_SEED, param
from core.views.text.tokenizing import ByPieces, word_shown
from core.views.text.unigram import Weighed, weighed, weighed_requests
from core.views.view import View, register

N_BEST, DRAWS = 8, 100


@dataclass(frozen=True, slots=True)
class Sampling(ByPieces):
    """The same with samples of the segmentations.

    Attributes:
        alpha: the power to which their probabilities are taken.
        seed: of the samples.
    """

    alpha: float = param(0.2, low=0.0, high=1.0, label=N_("Smoothing α"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))


@dataclass(frozen=True)
class Ways:
    """The segmentations of one word.

    Attributes:
        weighed: the text.
        ways: the most probable ones, the best first.
        p: probability of each of them among all segmentations.
        smoothed: the same to the power alpha.
        drawn: how often each of them was drawn.
        n_different: how many different ones were drawn, those included that are not listed.
        first: the first draw.
    """

    weighed: Weighed
    ways: tuple[Way, ...]
    p: tuple[float, ...]
    smoothed: tuple[float, ...]
    drawn: tuple[int, ...]
    n_different: int
    first: Way

    @property
    def params(self) -> Sampling:
        """What was asked for."""
        found = self.weighed.params
        assert isinstance(found, Sampling)
        return found

    @property
    def name(self) -> str:
        """The word."""
        return word_shown(self.weighed.words[self.weighed.word])

    def label(self, way: Way) -> str:
        """A segmentation as it is written."""
        return " | ".join(self.weighed.tokens(way)) or "–"


@register
class Segmentations(View[Sampling, Ways]):
    """Three bars for each segmentation: as it is, smoothed, and drawn."""

    name, Params, needs = "text.ways", Sampling, Needs(parts=("tokens",))

    def requests(self, params: Sampling) -> tuple[Request, ...]:
        return weighed_requests(params)

    def compute(self, runs: Sequence[Any], params: Sampling) -> Ways:
        found = weighed(runs, params)
        lattice, alpha = found.lattice, params.alpha
        best = lattice.n_best(N_BEST)
        ways = tuple(way for _score, way in best)
        total, smooth = lattice.log_total, lattice.forward(alpha)[-1]
        draw = np.random.default_rng(params.seed)
        samples = [lattice.sample(alpha, draw) for _n in range(DRAWS)]
        counts = Counter(samples)
        return Ways(
            weighed=found,
            ways=ways,
            p=tuple(exp(score_of(way) - total) for way in ways),
            smoothed=tuple(exp(alpha * score_of(way) - smooth) for way in ways),
            drawn=tuple(counts[way] for way in ways),
            n_different=len(counts),
            first=samples[0],
        )

    def values(self, record: Ways) -> Mapping[str, Values]:
        rank = (Along("rank", _("rank"), [str(at) for at in range(len(record.ways))]),)
        labels = [*map(record.label, record.ways)]
        return {
            "cut": Values(_("segmentation"), np.array(labels, object), rank),
            "probability": Values(_("probability"), np.array(record.p), rank),
            "smoothed": Values(_("probability, smoothed"), np.array(record.smoothed), rank),
            "drawn": Values(_("drawn"), np.array(record.drawn), rank),
            "n_different": Values(_("different segmentations"), np.array(record.n_different)),
            "first": Values(_("first draw"), np.array(record.label(record.first), object)),
        }

    def describe(self, record: Ways) -> Sentence:
        return sentence(
            _("The best segmentation of “{word}” has probability {share}. With α = {alpha} it has "
              "{smoothed}: of {n} draws, {different} are different, and the first is {first}."),
            word=Mark(record.name, "query"),
            share=Mark(percent(record.p[0]), "accent"),
            alpha=visible(f"{record.params.alpha:g}"),
            smoothed=Mark(percent(record.smoothed[0]), "accent"),
            n=str(DRAWS),
            different=Mark(str(record.n_different), "accent"),
            first=Mark(record.label(record.first), "strong"),
        )  # fmt: skip

    def show(self, record: Ways) -> Bars:
        rows = [
            BarRow(str(at), record.label(way), chosen=not at) for at, way in enumerate(record.ways)
        ]
        drawn = np.array(record.drawn) / DRAWS
        title = _("Segmentations of “{word}”, most probable first").format(word=record.name)
        return Bars(
            title=title,
            alt=str(self.describe(record)),
            selection=record.params.selection(word=record.weighed.word),
            frames=[BarFrame(rows, title=sentence("{title}", title=title))],
            values=np.array([record.p, record.smoothed, drawn])[None],
            series=[
                Series(_("probability"), "weight"), Series(_("smoothed by α"), "key"),
                Series(_("share of the draws"), "value"),
            ],
            full_scale=True,
            stacked=True,
        )  # fmt: skip
