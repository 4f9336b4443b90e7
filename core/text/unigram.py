"""A unigram language model as it cuts a word, with everything it weighs on record.

Kudo 2018, section 3.2: every entry has a probability, a segmentation has the product of those of
its pieces, and the most probable one is taken. Pieces, scores and ties are those of the
``tokenizers`` library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.text.lattice import Edge, Way, WordEdges
from core.text.marks import UNREAD
from core.text.tokenizer import Tokenizer

# Below the least probable entry, as SentencePiece has it: whatever can be written is.
UNKNOWN_COSTS = 10.0


@dataclass(frozen=True)
class Unigram:
    """Entries and their log-probabilities.

    Attributes:
        scores: log-probability to base e of each entry, by how it is spelt.
        ids: of each entry.
        unknown: what stands for letters that have no entry.
    """

    scores: Mapping[str, float]
    ids: Mapping[str, int]
    unknown: str = UNREAD

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Unigram | None:
        """What a shipped tokenizer learned; None when it is of another kind."""
        if tokenizer.family != "unigram":
            return None
        file = tokenizer.learned()
        entries = file["vocab"]
        unknown_id = file["unk_id"]
        unknown = UNREAD if unknown_id is None else entries[unknown_id][0]
        ids = {piece: n for n, (piece, _score) in enumerate(entries)}
        # A mark is no piece of a word, whatever somebody types (core/text/literal.py).
        scores = {piece: score for n, (piece, score) in enumerate(entries)
                  if n not in tokenizer.special_ids or piece == unknown}  # fmt: skip
        return cls(scores, ids, unknown)

    @property
    def n_entries(self) -> int:
        """How many entries the vocabulary has."""
        return len(self.ids)

    @cached_property
    def unknown_score(self) -> float:
        """What a letter without an entry counts."""
        return min(self.scores.values(), default=0.0) - UNKNOWN_COSTS

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.scores), default=1)

    def lattice(self, word: str) -> WordEdges:
        """Every entry in a word; a letter without one of its own is unknown."""
        edges: list[Edge] = []
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + self._longest) + 1):
                piece = word[start:end]
                score = self.scores.get(piece)
                if score is not None:
                    edges.append(Edge(start, end, piece, score, self.ids[piece]))
                elif end == start + 1:
                    edges.append(Edge(start, end, piece, self.unknown_score))
        return WordEdges(len(word), tuple(edges))

    def encode_word(self, word: str) -> list[str]:
        """The pieces of a word; unknown letters side by side are one."""
        return [piece for piece, _start, _end in fused(self.lattice(word).path, self.unknown)]

    def greedy(self, word: str) -> Way:
        """What the longest entry first would give, for comparison: no tokenizer cuts like this."""
        edges: list[Edge] = []
        lattice, place = self.lattice(word), 0
        while place < lattice.n:
            edges.append(
                max(
                    (edge for edge in lattice.edges if edge.start == place),
                    key=lambda edge: edge.end,
                )
            )
            place = edges[-1].end
        return tuple(edges)


def fused(way: Sequence[Edge], unknown: str) -> list[tuple[str, int, int]]:
    """The tokens of a segmentation with their places; unknown letters side by side are one."""
    pieces: list[tuple[str, int, int]] = []
    before: int | None = -1
    for edge in way:
        if edge.id is None and before is None:
            pieces[-1] = (unknown, pieces[-1][1], edge.end)
        else:
            pieces.append((unknown if edge.id is None else edge.piece, edge.start, edge.end))
        before = edge.id
    return pieces
