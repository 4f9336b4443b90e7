"""A training run by merges, replayed so that every step of it can be shown.

Here that of byte-pair encoding; WordPiece's is kept the same way (core/text/wordpiece_learning.py).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.sizes import held
from core.text.bpe import BPE, Merge, split_words, train_bpe

MAX_CORPUS = 4000  # bytes that are learnt from: of letters without accents so many
LONGEST = 32  # characters of a word; longer ones, of a text without blanks, are learnt in parts
TOP_PAIRS = 12  # pairs that a step keeps of its counts


@dataclass(frozen=True, slots=True)
class PairCount:
    """Two symbols and how often they stand side by side in the corpus.

    Attributes:
        left, right: ids.
        count: how often they are neighbours.
        alone: how often each of the two occurs; None where only the count of the pair decides.
    """

    left: int
    right: int
    count: int
    alone: tuple[int, int] | None = None

    @property
    def score(self) -> float:
        """What decides: the count, or where both symbols matter, the count divided by theirs."""
        return self.count / (self.alone[0] * self.alone[1]) if self.alone else self.count


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


class Merges(Protocol):
    """A code that was learnt by merges."""

    @property
    def merges(self) -> tuple[Merge, ...]:
        """In the order they were learnt."""
        ...

    @property
    def vocabulary(self) -> tuple[bytes, ...]:
        """How each symbol is spelt, by its id."""
        ...

    @property
    def n_entries(self) -> int:
        """Entries of the vocabulary."""
        ...


CodeT = TypeVar("CodeT", bound=Merges)


@dataclass(frozen=True, eq=False)
class MergeTraining(Generic[CodeT]):
    """What was learnt from a text, step by step. S merges make S + 1 states.

    Attributes:
        text: what was learnt from.
        cut: what was too much.
        code: the merges, with their counts.
        words: the distinct words, most frequent first.
        pairs: for each state the pairs that come first, the one to be merged at their head.
        rivals: for each state the most frequent pair, where it is not frequency that decides.
        n_tokens: ``(S + 1,)`` how many symbols the corpus is made of.
        entropy: ``(S + 1,)`` bits a symbol, if symbols were drawn by their counts.
        counts: how often each symbol stands in the corpus at the end.
    """

    text: str
    cut: str
    code: CodeT
    words: tuple[LearntWord, ...]
    pairs: tuple[tuple[PairCount, ...], ...]
    n_tokens: NDArray[np.int64]
    entropy: NDArray[np.float64]
    counts: Mapping[int, int]
    rivals: tuple[PairCount | None, ...] = ()

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        learnt = (self.words, self.pairs, self.n_tokens, self.entropy, self.counts, self.rivals)
        return held(self.text, self.cut, self.code, *learnt)


BPETraining: TypeAlias = MergeTraining[BPE]


def learnt_from(corpus: str) -> tuple[str, str]:
    """The beginning of a text that is learned from, and the rest, which is not."""
    beginning = corpus[:MAX_CORPUS].encode("utf-8", "surrogatepass")[:MAX_CORPUS]
    n = len(beginning.decode("utf-8", "ignore")) if len(beginning) == MAX_CORPUS else MAX_CORPUS
    return corpus[:n], corpus[n:]


def in_parts(words: Iterable[str]) -> list[str]:
    """Words of which none is longer than ``LONGEST``: each merge goes through all of a word."""
    return [
        word[start : start + LONGEST] for word in words for start in range(0, len(word), LONGEST)
    ]


def learn(corpus: str, merges: int) -> BPETraining:
    """Learn merges from a text and keep every state on the way.

    Args:
        corpus: only its beginning is used (``learnt_from``).
        merges: how many at most; fewer when nothing is left to merge.
    """
    text, cut = learnt_from(corpus)
    words = in_parts(split_words(text))
    code = train_bpe(words, 256 + merges)
    # Two pairs can spell one entry, so a full vocabulary may take more merges than were asked for.
    code = replace(code, merges=code.merges[:merges])
    counted = Counter(words).most_common()
    start = [list(next(code.encode_word(word)).symbols) for word, _count in counted]
    replay = Replay(counted, start)
    for merge in code.merges:
        replay.step(merge)
    return replay.training(text, cut, code)


class Replay:
    """The corpus as symbols, and how often each symbol and each pair stands in it.

    Args:
        counted: the distinct words, most frequent first, and how often each stands in the corpus.
        start: the symbols that each of them begins as.
        scored: pairs go by their score, not by their count.
    """

    def __init__(
        self, counted: Sequence[tuple[str, int]], start: Sequence[Sequence[int]], *,
        scored: bool = False,
    ) -> None:  # fmt: skip
        self.words = [word for word, _count in counted]
        self.counts = [count for _word, count in counted]
        self.scored = scored
        self.start = [[Symbol(i, 0) for i in ids] for ids in start]
        self.live = [list(symbols) for symbols in self.start]
        self.joined: dict[int, Symbol] = {}  # by the id() of a symbol what it is the end of
        self.of_symbol: Counter[int] = Counter()
        self.of_pair: Counter[tuple[int, int]] = Counter()
        self.where: dict[tuple[int, int], set[int]] = {}
        for index, symbols in enumerate(self.live):
            self._count(index, symbols, pairwise(symbols), 1)
        self.n_merges = 0
        self.pairs: list[tuple[PairCount, ...]] = []
        self.rivals: list[PairCount | None] = []
        self.n_tokens: list[int] = []
        self.entropy: list[float] = []
        self._note()

    def _count(
        self, index: int, symbols: Iterable[Symbol], pairs: Iterable[tuple[Symbol, Symbol]],
        sign: int,
    ) -> None:  # fmt: skip
        """Add some of a word's symbols and pairs to the counts, or take them out."""
        times = sign * self.counts[index]
        for symbol in symbols:
            self.of_symbol[symbol.id] += times
        for left, right in pairs:
            self.of_pair[left.id, right.id] += times
            self.where.setdefault((left.id, right.id), set()).add(index)

    def step(self, merge: Merge) -> None:
        """Carry out a merge, and note the state after it."""
        self.n_merges += 1
        for index in self.where.pop((merge.left, merge.right)):
            self._merge(index, merge, self.n_merges)
        self._note()

    def training(self, text: str, cut: str, code: CodeT) -> MergeTraining[CodeT]:
        """All states so far."""
        words = zip(self.words, self.counts, map(self._all_of, self.start), strict=True)
        return MergeTraining(
            text=text,
            cut=cut,
            code=code,
            words=tuple(LearntWord(word, n, tuple(symbols)) for word, n, symbols in words),
            pairs=tuple(self.pairs),
            n_tokens=np.array(self.n_tokens),
            entropy=np.array(self.entropy),
            counts={symbol: n for symbol, n in self.of_symbol.items() if n},
            rivals=tuple(self.rivals) if self.scored else (),
        )

    def _merge(self, index: int, merge: Merge, step: int) -> None:
        """Join the pair wherever it stands in a word, from the left, and count what that changes.

        Most of a long word is not next to any: it is not counted again.
        """
        live, after, place = self.live[index], list[Symbol](), 0
        while place < len(live):
            pair = live[place : place + 2]
            if [symbol.id for symbol in pair] == [merge.left, merge.right]:
                after.append(Symbol(merge.new, step))
                self.joined[id(pair[1])] = after[-1]
                for symbol in pair:
                    symbol.gone = step
                place += 2
            else:
                after.append(live[place])
                place += 1
        gone = (symbol for symbol in live if symbol.gone)
        self._count(index, gone, ((a, b) for a, b in pairwise(live) if a.gone or b.gone), -1)
        new = (symbol for symbol in after if symbol.born == step)
        pairs = ((a, b) for a, b in pairwise(after) if step in (a.born, b.born))
        self._count(index, new, pairs, 1)
        self.live[index] = after

    def _all_of(self, start: Sequence[Symbol]) -> Iterator[Symbol]:
        """All symbols that a word was ever made of, each behind the second one of its pair."""
        for symbol in start:
            current: Symbol | None = symbol
            while current is not None:
                yield current
                current = self.joined.get(id(current))

    def _note(self) -> None:
        """Keep what there is to see of this state."""
        frequent = self._top()
        self.pairs.append(self._best() if self.scored else frequent)
        self.rivals.append(frequent[0] if self.scored and frequent else None)
        self.n_tokens.append(sum(self.of_symbol.values()))
        self.entropy.append(self._entropy())

    def _top(self) -> tuple[PairCount, ...]:
        ranked = ((-n, *pair) for pair, n in self.of_pair.items() if n > 0)
        return tuple(self._pair(a, b, -n) for n, a, b in heapq.nsmallest(TOP_PAIRS, ranked))

    def _best(self) -> tuple[PairCount, ...]:
        """Those with the highest scores; of equals the more frequent, then the smaller ids."""
        pairs = (self._pair(a, b, n) for (a, b), n in self.of_pair.items() if n > 0)
        order = heapq.nsmallest(
            TOP_PAIRS, ((-pair.score, -pair.count, pair.left, pair.right, pair) for pair in pairs)
        )
        return tuple(pair for *_key, pair in order)

    def _pair(self, left: int, right: int, count: int) -> PairCount:
        alone = (self.of_symbol[left], self.of_symbol[right]) if self.scored else None
        return PairCount(left, right, count, alone)

    def _entropy(self) -> float:
        counts = np.array([n for n in self.of_symbol.values() if n], np.float64)
        p = counts / max(1.0, counts.sum())
        return abs(float((p * np.log2(p)).sum()))  # a sum of zeros has a sign too
