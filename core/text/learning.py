"""A training run of byte-pair encoding, replayed so that every step of it can be shown."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.sizes import held
from core.text.bpe import BPE, split_words, train_bpe

MAX_CORPUS = 4000  # characters that are learnt from
TOP_PAIRS = 12  # pairs that a step keeps of its counts


@dataclass(frozen=True, slots=True)
class PairCount:
    """Two symbols and how often they stand side by side in the corpus."""

    left: int
    right: int
    count: int


@dataclass(slots=True)
class Symbol:
    """A symbol of a word, from the merge that made it to the merge that used it up.

    Attributes:
        id: in the vocabulary.
        born: merges done when it came into being; 0 for a byte.
        gone: merges done when it became part of another; None if it never did.
    """

    id: int
    born: int
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class LearntWord:
    """A distinct word of the corpus.

    Attributes:
        text: with its leading space.
        count: how often it stands in the corpus.
        symbols: all it was ever made of; in the order of the word at every step.
    """

    text: str
    count: int
    symbols: tuple[Symbol, ...]


@dataclass(frozen=True, eq=False)
class BPETraining:
    """What was learnt from a text, step by step. S merges make S + 1 states.

    Attributes:
        text: what was learnt from.
        cut: what was too much.
        code: the merges, with their counts.
        words: the distinct words, most frequent first.
        pairs: for each state the most frequent pairs, the one to be merged first.
        n_tokens: ``(S + 1,)`` how many symbols the corpus is made of.
        entropy: ``(S + 1,)`` bits a symbol, if symbols were drawn by their counts.
        counts: how often each symbol stands in the corpus at the end.
    """

    text: str
    cut: str
    code: BPE
    words: tuple[LearntWord, ...]
    pairs: tuple[tuple[PairCount, ...], ...]
    n_tokens: NDArray[np.int64]
    entropy: NDArray[np.float64]
    counts: Mapping[int, int]

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        learnt = (self.words, self.pairs, self.n_tokens, self.entropy, self.counts)
        return held(self.text, self.cut, self.code, *learnt)


def learn(corpus: str, merges: int) -> BPETraining:
    """Learn merges from a text and keep every state on the way.

    Args:
        corpus: only its first ``MAX_CORPUS`` characters are used.
        merges: how many at most; fewer when nothing is left to merge.
    """
    text, cut = corpus[:MAX_CORPUS], corpus[MAX_CORPUS:]
    code = train_bpe(text, 256 + merges)
    # Two pairs can spell one entry, so a full vocabulary may take more merges than were asked for.
    code = replace(code, merges=code.merges[:merges])
    return _Replay(text, code).run(cut)


class _Replay:
    """The corpus as symbols, and how often each symbol and each pair stands in it."""

    def __init__(self, text: str, code: BPE) -> None:
        self.text, self.code = text, code
        counted = Counter(split_words(text)).most_common()
        self.words = [word for word, _ in counted]
        self.counts = [count for _, count in counted]
        self.symbols = [
            [Symbol(i, 0) for i in next(code.encode_word(word)).symbols] for word in self.words
        ]
        self.live = [list(symbols) for symbols in self.symbols]
        self.of_symbol: Counter[int] = Counter()
        self.of_pair: Counter[tuple[int, int]] = Counter()
        self.where: dict[tuple[int, int], set[int]] = {}
        for index in range(len(self.words)):
            self._count(index, 1)

    def _count(self, index: int, sign: int) -> None:
        """Add a word's symbols and pairs to the counts, or take them out."""
        ids, times = [symbol.id for symbol in self.live[index]], sign * self.counts[index]
        for symbol in ids:
            self.of_symbol[symbol] += times
        for pair in pairwise(ids):
            self.of_pair[pair] += times
            self.where.setdefault(pair, set()).add(index)

    def run(self, cut: str) -> BPETraining:
        pairs, n_tokens, entropy = [self._top()], [self._n_tokens()], [self._entropy()]
        for step, merge in enumerate(self.code.merges, start=1):
            for index in self.where.pop((merge.left, merge.right)):
                self._count(index, -1)
                self._merge(index, merge.left, merge.right, merge.new, step)
                self._count(index, 1)
            pairs.append(self._top())
            n_tokens.append(self._n_tokens())
            entropy.append(self._entropy())
        words = zip(self.words, self.counts, self.symbols, strict=True)
        return BPETraining(
            text=self.text,
            cut=cut,
            code=self.code,
            words=tuple(LearntWord(word, n, tuple(symbols)) for word, n, symbols in words),
            pairs=tuple(pairs),
            n_tokens=np.array(n_tokens),
            entropy=np.array(entropy),
            counts={symbol: n for symbol, n in self.of_symbol.items() if n},
        )

    def _merge(self, index: int, left: int, right: int, new: int, step: int) -> None:
        """Join the pair wherever it stands in a word, from the left."""
        live, kept = self.live[index], self.symbols[index]
        at = 0
        while at < len(live) - 1:
            if (live[at].id, live[at + 1].id) == (left, right):
                live[at].gone = live[at + 1].gone = step
                joined = Symbol(new, step)
                kept.insert(next(i for i, s in enumerate(kept) if s is live[at + 1]) + 1, joined)
                live[at : at + 2] = [joined]
            at += 1

    def _top(self) -> tuple[PairCount, ...]:
        found = ((-n, *pair) for pair, n in self.of_pair.items() if n > 0)
        return tuple(PairCount(a, b, -n) for n, a, b in heapq.nsmallest(TOP_PAIRS, found))

    def _n_tokens(self) -> int:
        return sum(self.of_symbol.values())

    def _entropy(self) -> float:
        counts = np.array([n for n in self.of_symbol.values() if n], np.float64)
        p = counts / max(1.0, counts.sum())
        return abs(float((p * np.log2(p)).sum()))  # a sum of zeros has a sign too
