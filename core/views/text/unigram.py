"""A text that a unigram model cuts: what the views of it share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

from core.errors import EmptyInputError
from core.runs.requests import Request, TokenizeRequest
from core.runs.results import Tokenized
from core.spelling import visible
from core.text.bpe import split_words
from core.text.lattice import Edge, Lattice
from core.text.marks import SPACE
from core.text.unigram import Unigram, fused
from core.text.unigram_learning import UnigramTraining, spaced
from core.views.text.tokenizing import ByPieces
from core.views.text.units import Looked, looked_up


@dataclass(frozen=True)
class Weighed:
    """Every distinct word of a text with all its segmentations.

    Attributes:
        words: of the text, in order.
        looked: for each of them what is looked up.
        code: the vocabulary.
        own: it is the model's.
        params: what was asked for.
    """

    words: list[str]
    looked: list[Looked]
    code: Unigram
    own: bool
    params: ByPieces

    @property
    def word(self) -> int:
        """The word that is looked at."""
        return self.params.word_of(len(self.words), self.telling)

    @cached_property
    def telling(self) -> int:
        """The word whose second best segmentation comes closest to the best; else the first."""
        lead = {one: _lead(lattice) for one, lattice in self.lattices.items()}
        return min(range(len(self.words)), key=lambda word: lead[self.looked[word]])

    @cached_property
    def lattices(self) -> dict[Looked, Lattice]:
        """Of each distinct word; several words that are looked up for one stand in a row."""
        return {
            one: _in_a_row([self.code.lattice(own) for own in one.drawn]) for one in self.looked
        }

    @property
    def lattice(self) -> Lattice:
        """That of the word that is looked at."""
        return self.lattices[self.looked[self.word]]

    def greedy(self, word: int) -> list[Edge]:
        """What the longest entry first would give of a word."""
        return [edge for own in self.looked[word].drawn for edge in self.code.greedy(own)]

    def label(self, edge: Edge) -> str:
        """An entry as it is written; a letter without one by the mark that stands for it."""
        return self.code.unknown if edge.id is None else piece_label(edge.piece)

    def tokens(self, way: Sequence[Edge]) -> list[str]:
        """What a segmentation gives; unknown letters side by side are one."""
        return [piece_label(piece) for piece, _start, _end in fused(way, self.code.unknown)]


def piece_label(piece: str) -> str:
    """An entry as it is written: the mark before a word is a space."""
    return visible(piece.replace(SPACE, " "))


def weighed_requests(params: ByPieces) -> tuple[Request, ...]:
    """The text as the model cuts it, and the learned pieces for a model of another kind."""
    return (TokenizeRequest(params.model, params.text), params.unigram())


def weighed(runs: Sequence[Any], params: ByPieces) -> Weighed:
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
        return Weighed(words, looked_up(run, run.pieces), run.pieces, True, params)
    looked = [Looked((spaced(word),)) for word in words]
    return Weighed(words, looked, learned.code, False, params)


def _lead(lattice: Lattice) -> float:
    """How much more probable the best segmentation is than the next, as ln; none has no next."""
    (best, _way), *others = lattice.n_best(2)
    return best - others[0][0] if others else inf


def _in_a_row(lattices: Sequence[Lattice]) -> Lattice:
    """Several lattices one behind the other: no entry crosses from one into the next."""
    edges, at = [], 0
    for one in lattices:
        edges += [
            Edge(at + edge.start, at + edge.end, edge.piece, edge.score, edge.id)
            for edge in one.edges
        ]
        at += one.n
    return Lattice(at, tuple(edges))
