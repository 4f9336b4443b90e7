"""A word as a unigram model cuts it: every entry in it, and the ways through them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf
from typing import Any, TypeVar

import numpy as np

from core.errors import EmptyInputError
from core.figures.components import BarFrame, BarRow, Bars, Follow, Stepper
from core.figures.components import Lattice as LatticeFigure
from core.figures.components.bars import Series
from core.figures.components.lattice import Arc, WordLattice
from core.figures.text import Mark, Sentence, decimal, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import grouped, spelt
from core.models.needs import Needs
from core.runs.kinds.tokens import Tokenized, TokenizeRequest
from core.runs.request import Request
from core.spelling import visible
from core.text.bpe import split_words
from core.text.lattice import Edge, Way, WordEdges, score_of
from core.text.marks import SPACE
from core.text.unigram import Unigram, fused
from core.text.unigram_learning import UnigramTraining, spaced
from core.views.params import MAX_SEED, param
from core.views.text.tokens import ByPieces, WordLookup, looked_up, word_shown, word_steps
from core.views.view import View

# --- a text that a unigram model cuts: what the views of it share ---------------------


@dataclass(frozen=True)
class WeighedWords:
    """Every distinct word of a text with all its segmentations.

    Attributes:
        words: of the text, in order.
        looked: for each of them what is looked up.
        code: the vocabulary.
        by_model: it is the model's.
        params: what was asked for.
    """

    words: list[str]
    looked: list[WordLookup]
    code: Unigram
    by_model: bool
    params: ByPieces

    @property
    def word(self) -> int:
        """The word that is looked at."""
        return self.params.word_of(len(self.words), self.telling)

    @cached_property
    def telling(self) -> int:
        """The word whose second best segmentation comes closest to the best; else the first."""
        lead = {entry: _lead(lattice) for entry, lattice in self.lattices.items()}
        return min(range(len(self.words)), key=lambda word: lead[self.looked[word]])

    @cached_property
    def lattices(self) -> dict[WordLookup, WordEdges]:
        """Of each distinct word; several words that are looked up for one stand in a row."""
        return {
            entry: _in_a_row([self.code.lattice(letters) for letters in entry.drawn])
            for entry in self.looked
        }

    @property
    def lattice(self) -> WordEdges:
        """That of the word that is looked at."""
        return self.lattices[self.looked[self.word]]

    def greedy(self, word: int) -> list[Edge]:
        """What the longest entry first would give of a word."""
        return [edge for letters in self.looked[word].drawn for edge in self.code.greedy(letters)]

    def label(self, edge: Edge) -> str:
        """An entry as it is written; a letter without one by the mark that stands for it."""
        return self.code.unknown if edge.id is None else piece_label(edge.piece)

    def tokens(self, way: Sequence[Edge]) -> list[str]:
        """What a segmentation gives; unknown letters side by side are one."""
        return [piece_label(piece) for piece, _start, _end in fused(way, self.code.unknown)]


def piece_label(piece: str) -> str:
    """An entry as it is written: the mark before a word is a space."""
    return visible(piece.replace(SPACE, " "))


P = TypeVar("P", bound=ByPieces)
R = TypeVar("R")


class SegmentedView(View[P, R]):
    """A text, and the entries in its words."""

    needs = Needs(parts=("tokens",))

    def requests(self, params: P) -> tuple[Request, ...]:
        return (TokenizeRequest(params.model, params.text), params.unigram())


def weighed(runs: Sequence[Any], params: ByPieces) -> WeighedWords:
    """The words of the text.

    Raises:
        EmptyInputError: there is no word.
    """
    run: Tokenized = runs[0]
    learned: UnigramTraining = runs[1]
    words = split_words(run.text)
    if not words:
        raise EmptyInputError
    if params.code == "model" and isinstance(run.pieces, Unigram):
        return WeighedWords(words, looked_up(run, run.pieces), run.pieces, True, params)
    looked = [WordLookup((spaced(word),)) for word in words]
    return WeighedWords(words, looked, learned.code, False, params)


def _lead(lattice: WordEdges) -> float:
    """How much more probable the best segmentation is than the next, as ln; none has no next."""
    (best, _way), *others = lattice.n_best(2)
    return best - others[0][0] if others else inf


def _in_a_row(lattices: Sequence[WordEdges]) -> WordEdges:
    """Several lattices one behind the other: no entry crosses from one into the next."""
    edges, offset = [], 0
    for lattice in lattices:
        edges += [
            Edge(offset + edge.start, offset + edge.end, edge.piece, edge.score, edge.id)
            for edge in lattice.edges
        ]
        offset += lattice.n
    return WordEdges(offset, tuple(edges))


# --- a word as a unigram model cuts it: every entry in it, and the most probable way through them


class TextLatticeView(SegmentedView[ByPieces, WeighedWords]):
    """Arcs over the letters, place after place."""

    name, Params = "text.lattice", ByPieces

    def compute(self, runs: Sequence[Any], params: ByPieces) -> WeighedWords:
        return weighed(runs, params)

    def values(self, record: WeighedWords) -> Mapping[str, Values]:
        lattice, word = record.lattice, record.word
        edges = lattice.edges
        entry = (Along("arc", _("arc"), [str(i) for i in range(len(edges))]),)
        place = (Along("place", _("place"), [str(i) for i in range(lattice.n + 1)]),)
        by = [None if edge is None else record.label(edge) for edge in lattice.by]
        cuts = [
            ("best_cut", _("most probable segmentation"), lattice.path),
            ("greedy_cut", _("longest entry first"), record.greedy(word)),
        ]
        scores = {
            "best_cut_score": Values(
                _("ln p of the most probable segmentation"), np.array(score_of(lattice.path))
            ),
            "greedy_cut_score": Values(
                _("ln p of the longest entry first"), np.array(score_of(record.greedy(word)))
            ),
        }
        return {
            "piece": Values(_("entry"), np.array([*map(record.label, edges)], object), entry),
            "start": Values(_("from place"), np.array([edge.start for edge in edges], int), entry),
            "end": Values(_("to place"), np.array([edge.end for edge in edges], int), entry),
            "score": Values(_("ln p"), np.array([edge.score for edge in edges]), entry),
            "best": Values(_("best ln p up to here"), np.array(lattice.best), place),
            "by": Values(_("last entry of the best way"), np.array(by, object), place),
            **{
                name: Values(label, np.array(_way_text(record, way), object))
                for name, label, way in cuts
            },
            **scores,
            "times": Values(
                _("how many times more probable the best is than longest first"),
                np.array(times(record, word)),
            ),
            "vocab_size": Values(_("entries of the vocabulary"), np.array(record.code.n_entries)),
        }

    def describe(self, record: WeighedWords) -> Sentence:
        return _reading(record, record.word)

    def draw(self, record: WeighedWords) -> LatticeFigure:
        unique = list(dict.fromkeys(record.looked))
        place = {entry: i for i, entry in enumerate(unique)}
        return LatticeFigure(
            title=_title(record.words[record.word]),
            selection=record.params.selection(word=record.word),
            lattices=[_word(record, record.looked.index(entry)) for entry in unique],
            of=[place[entry] for entry in record.looked],
            first=record.word,
        )

    def steps(self, record: WeighedWords) -> Stepper | None:
        """Place after place, then the way back."""
        counts = [record.lattices[entry].n + 2 if entry.words else 1 for entry in record.looked]
        title, chosen = _title(record.words[record.word]), record.params.selection(word=record.word)
        return word_steps(title, str(self.describe(record)), chosen, counts, record.word)


def times(record: WeighedWords, word: int) -> float:
    """How many times more probable the best segmentation of a word is than that of the greedy."""
    lattice = record.lattices[record.looked[word]]
    return exp(min(700.0, score_of(lattice.path) - score_of(record.greedy(word))))


def _title(word: str) -> str:
    return _("Segmentations of “{word}”").format(word=word_shown(word))


def _way_text(record: WeighedWords, way: Sequence[Edge]) -> str:
    return " | ".join(record.tokens(way))


def _reading(record: WeighedWords, word: int) -> Sentence:
    looked, name = record.looked[word], Mark(word_shown(record.words[word]), "query")
    if not looked.words:
        return sentence(_("“{word}” is not read: no token comes from it."), word=name)
    lattice, greedy = record.lattices[looked], record.greedy(word)
    summary = sentence(
        ngettext(
            "{n} entry stands in “{word}”. The most probable segmentation is {tokens}, ln p = "
            "{score}.",
            "{n} entries stand in “{word}”. The most probable segmentation is {tokens}, ln p = "
            "{score}.",
            len(lattice.edges),
        ),
        n=Mark(grouped(len(lattice.edges)), "accent"),
        word=name,
        tokens=Mark("  ".join(record.tokens(lattice.path)), "strong"),
        score=Mark(decimal(score_of(lattice.path), 2), "accent"),
    )
    if tuple(greedy) == lattice.path:
        return summary
    other = sentence(
        _("The longest entry first would give {tokens}, which is {times} times less probable."),
        tokens=Mark("  ".join(record.tokens(greedy)), "strong"),
        times=Mark(number(times(record, word)), "warning"),
    )
    return join([summary, other])


def _word(record: WeighedWords, word: int) -> WordLattice:
    looked = record.looked[word]
    lattice = record.lattices[looked]
    best, path = lattice.best, set(lattice.path)
    note = ""
    if lattice.n < looked.n_letters:
        note = _("Only the first {n} of its {all} letters are looked up here.").format(
            n=lattice.n, all=looked.n_letters
        )
    arcs = [
        Arc(
            edge.start,
            edge.end,
            record.label(edge),
            before=decimal(best[edge.start], 2),
            score=decimal(edge.score, 2),
            total=decimal(best[edge.start] + edge.score, 2),
            best=lattice.by[edge.end] is edge,
            path=edge in path,
        )
        for edge in lattice.edges
    ]
    return WordLattice(
        title=_title(record.words[word]),
        alt=str(_reading(record, word)),
        note=note,
        letters=[
            visible(letter.replace(SPACE, " ")) for letters in looked.drawn for letter in letters
        ],
        arcs=arcs,
        scores=[decimal(score, 1) for score in best],
        says=[_says(record, word, step) for step in range(lattice.n + 2)] if looked.words else [],
    )


def _says(record: WeighedWords, word: int, step: int) -> Sentence:
    """What is done at a place."""
    lattice = record.lattices[record.looked[word]]
    if step == 0:
        return sentence(_("Place 0, before the first letter: nothing is written yet, ln p = 0."))
    if step > lattice.n:
        return _reading(record, word)
    edge, into = lattice.by[step], lattice.into[step]
    if edge is None:
        return sentence(_("No entry ends at place {n}.").format(n=step))
    return sentence(
        ngettext(
            "{count} entry ends at place {n}. The best way comes through “{piece}” from place "
            "{start}: ln p = {before} + ({own}) = {total}.",
            "{count} entries end at place {n}. The best way comes through “{piece}” from place "
            "{start}: ln p = {before} + ({own}) = {total}.",
            len(into),
        ),
        count=str(len(into)),
        n=str(step),
        piece=Mark(record.label(edge), "strong"),
        start=str(edge.start),
        before=decimal(lattice.best[edge.start], 2),
        own=decimal(edge.score, 2),
        total=Mark(decimal(lattice.best[step], 2), "accent"),
    )


# --- the most probable segmentations of a word, and what is drawn where they are sampled


N_BEST, DRAWS = 6, 100
ALONE, OPEN = 0.99, 0.9  # above: others hardly count; below: they compete


@dataclass(frozen=True, slots=True)
class SampledSegmentations(ByPieces):
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
class WordSegmentations:
    """The segmentations of each word.

    Attributes:
        weighed: the text.
        of: by the number of the word.
        params: what was asked for.
    """

    weighed: WeighedWords
    of: tuple[OfWord, ...]
    params: SampledSegmentations

    @property
    def shown(self) -> OfWord:
        """Those of the word that is looked at."""
        return self.of[self.weighed.word]

    def name(self, word: int) -> str:
        """A word of the text, as a sentence shows it."""
        return word_shown(self.weighed.words[word])

    def label(self, way: Way) -> str:
        """A segmentation as it is written."""
        return " | ".join(self.weighed.tokens(way)) or "–"


class TextWaysView(SegmentedView[SampledSegmentations, WordSegmentations]):
    """Three bars for each segmentation: as it is, smoothed, and drawn; a frame for each word."""

    name, Params = "text.ways", SampledSegmentations

    def compute(self, runs: Sequence[Any], params: SampledSegmentations) -> WordSegmentations:
        record = weighed(runs, params)
        of = {entry: _of_word(lattice, params) for entry, lattice in record.lattices.items()}
        return WordSegmentations(record, tuple(of[entry] for entry in record.looked), params)

    def values(self, record: WordSegmentations) -> Mapping[str, Values]:
        shown = record.shown
        rank = (Along("rank", _("rank"), [str(i) for i in range(len(shown.ways))]),)
        labels = [*map(record.label, shown.ways)]
        return {
            "cut": Values(_("segmentation"), np.array(labels, object), rank),
            "probability": Values(_("probability"), np.array(shown.p), rank),
            "smoothed": Values(_("probability, smoothed"), np.array(shown.smoothed), rank),
            "drawn": Values(_("drawn"), np.array(shown.drawn), rank),
            "n_different": Values(_("different segmentations"), np.array(shown.n_different)),
            "first": Values(_("first draw"), np.array(record.label(shown.first), object)),
        }

    def describe(self, record: WordSegmentations) -> Sentence:
        return _ways_reading(record, record.weighed.word)

    def draw(self, record: WordSegmentations) -> Bars:
        wide = max(len(segmented.ways) for segmented in record.of)
        values = np.full((len(record.of), 3, wide), np.nan)
        for n, segmented in enumerate(record.of):
            drawn = np.array(segmented.drawn) / DRAWS
            values[n, :, : len(segmented.ways)] = [segmented.p, segmented.smoothed, drawn]
        word = record.weighed.word
        return Bars(
            title=_ways_title(record.name(word)),
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


def _of_word(lattice: WordEdges, params: SampledSegmentations) -> OfWord:
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


def _ways_title(word: str) -> str:
    return _("Segmentations of “{word}”, most probable first").format(word=word)


def _frame(record: WordSegmentations, word: int) -> BarFrame:
    text = str(_ways_reading(record, word))
    rows = [
        BarRow(str(i), record.label(way), chosen=not i)
        for i, way in enumerate(record.of[word].ways)
    ]
    title = sentence("{title}", title=_ways_title(record.name(word)))
    return BarFrame(rows, title=title, note=text, alt=text)


def _ways_reading(record: WordSegmentations, word: int) -> Sentence:
    shown = record.of[word]
    summary = sentence(
        _("The best segmentation of “{word}” has probability {share}. With α = {alpha} it has "
          "{smoothed}. In {n} draws it finds {different}. The first is {first}."),
        word=Mark(record.name(word), "query"),
        share=Mark(percent(shown.p[0]), "accent"),
        alpha=spelt(f"{record.params.smoothing:g}"),
        smoothed=Mark(percent(shown.smoothed[0]), "accent"),
        n=str(DRAWS),
        different=Mark(
            ngettext("{n} way", "{n} ways", shown.n_different).format(n=shown.n_different), "accent"
        ),
        first=Mark(record.label(shown.first), "strong"),
    )  # fmt: skip
    most_open = min(range(len(record.of)), key=lambda n: record.of[n].p[0])
    if shown.p[0] <= ALONE or record.of[most_open].p[0] >= OPEN:
        return summary
    other = sentence(
        _("Other segmentations hardly count here. Those of “{word}” in this text do."),
        word=Mark(record.name(most_open), "query"),
    )
    return join([summary, other])
