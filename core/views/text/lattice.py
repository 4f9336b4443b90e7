"""A word as a unigram model cuts it: every entry in it, and the most probable way through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

import numpy as np

from core.figures.components import Lattice, Stepper
from core.figures.components.lattice import Arc, WordLattice
from core.figures.text import Mark, Sentence, decimal, join, number, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.locale import grouped
from core.models.needs import Needs
from core.runs.requests import Request
from core.spelling import visible
from core.text.lattice import Edge, score_of
from core.text.marks import SPACE
from core.views.text.tokenizing import ByPieces, word_shown
from core.views.text.unigram import Weighed, weighed, weighed_requests
from core.views.view import View


class Viterbi(View[ByPieces, Weighed]):
    """Arcs over the letters, place after place."""

    name, Params, needs = "text.lattice", ByPieces, Needs(parts=("tokens",))

    def requests(self, params: ByPieces) -> tuple[Request, ...]:
        return weighed_requests(params)

    def compute(self, runs: Sequence[Any], params: ByPieces) -> Weighed:
        return weighed(runs, params)

    def values(self, record: Weighed) -> Mapping[str, Values]:
        lattice, word = record.lattice, record.word
        edges = lattice.edges
        entry = (Along("arc", _("arc"), [str(at) for at in range(len(edges))]),)
        place = (Along("place", _("place"), [str(at) for at in range(lattice.n + 1)]),)
        by = [None if one is None else record.label(one) for one in lattice.by]
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
            "start": Values(_("from place"), np.array([one.start for one in edges], int), entry),
            "end": Values(_("to place"), np.array([one.end for one in edges], int), entry),
            "score": Values(_("ln p"), np.array([one.score for one in edges]), entry),
            "best": Values(_("best ln p up to here"), np.array(lattice.best), place),
            "by": Values(_("last entry of the best way"), np.array(by, object), place),
            **{
                name: Values(label, np.array(_joined(record, way), object))
                for name, label, way in cuts
            },
            **scores,
            "times": Values(
                _("how many times more probable the best is than longest first"),
                np.array(times(record, word)),
            ),
            "vocab_size": Values(_("entries of the vocabulary"), np.array(record.code.n_entries)),
        }

    def describe(self, record: Weighed) -> Sentence:
        return _reading(record, record.word)

    def draw(self, record: Weighed) -> Lattice:
        unique = list(dict.fromkeys(record.looked))
        place = {one: at for at, one in enumerate(unique)}
        lattices = [_word(record, record.looked.index(one)) for one in unique]
        return Lattice(
            title=_title(record.words[record.word]),
            selection=record.params.selection(word=record.word),
            lattices=lattices,
            of=[place[one] for one in record.looked],
            first=record.word,
        )

    def steps(self, record: Weighed) -> Stepper | None:
        """Place after place, then the way back."""
        counts = [record.lattices[one].n + 2 if one.words else 1 for one in record.looked]
        if max(counts) < 2:
            return None
        return Stepper(
            title=_title(record.words[record.word]),
            alt=str(self.describe(record)),
            selection=record.params.selection(word=record.word),
            n=max(counts),
            first=max(counts),
            field="join",
            before=1,
            n_by={"field": "word", "first": record.word, "counts": counts},
        )


def times(record: Weighed, word: int) -> float:
    """How many times more probable the best segmentation of a word is than that of the greedy."""
    lattice = record.lattices[record.looked[word]]
    return exp(min(700.0, score_of(lattice.path) - score_of(record.greedy(word))))


def _title(word: str) -> str:
    return _("Segmentations of “{word}”").format(word=word_shown(word))


def _joined(record: Weighed, way: Sequence[Edge]) -> str:
    return " | ".join(record.tokens(way))


def _reading(record: Weighed, word: int) -> Sentence:
    looked, name = record.looked[word], Mark(word_shown(record.words[word]), "query")
    if not looked.words:
        return sentence(_("“{word}” is not read: no token comes from it."), word=name)
    lattice, greedy = record.lattices[looked], record.greedy(word)
    said = sentence(
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
        return said
    other = sentence(
        _("The longest entry first would give {tokens}, which is {times} times less probable."),
        tokens=Mark("  ".join(record.tokens(greedy)), "strong"),
        times=Mark(number(times(record, word)), "warning"),
    )
    return join([said, other])


def _word(record: Weighed, word: int) -> WordLattice:
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
    letters = [visible(one.replace(SPACE, " ")) for own in looked.drawn for one in own]
    return WordLattice(
        title=_title(record.words[word]),
        alt=str(_reading(record, word)),
        note=note,
        letters=letters,
        arcs=arcs,
        scores=[decimal(one, 1) for one in best],
        says=[_says(record, word, step) for step in range(lattice.n + 2)] if looked.words else [],
    )


def _says(record: Weighed, word: int, step: int) -> Sentence:
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
