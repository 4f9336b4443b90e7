"""Byte-level byte-pair encoding, with every step on record.

Sennrich et al. 2016, section 3.2, on bytes as in Radford et al. 2019, section
2.2: start from the 256 bytes; again and again make the most frequent
neighbouring pair one new symbol. The merges are those of the ``tokenizers``
library (ties go to the smaller ids), and so are the ids.

Training is incremental: words are counted once, a merge touches only the words
that hold its pair, and a heap with stale entries finds the next pair.
"""

from __future__ import annotations

import gc
import heapq
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tokenizers import pre_tokenizers

from core.errors import ParameterError
from core.language import N_, Phrase
from core.text.characters import gpt2_byte_alphabet, whole_characters
from core.text.tokenizer import Tokenizer

# GPT-2's rule for cutting a text into words, for ASCII; the library cuts the rest.
_ASCII_WORDS = re.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+", re.ASCII
)
_LINES = re.compile(r"(?=\n[!-~])")  # before a line, where no word crosses
_LIBRARY = pre_tokenizers.ByteLevel(add_prefix_space=False)

_STAND_INS = gpt2_byte_alphabet()
# The library numbers the 256 bytes in the order of their printable stand-ins.
_BYTES_IN_ORDER = sorted(range(256), key=lambda byte: _STAND_INS[byte])
_PLACE_OF_BYTE = {byte: place for place, byte in enumerate(_BYTES_IN_ORDER)}
_SHIFT = 32  # a pair of ids as one integer: left << 32 | right


def split_words(text: str) -> list[str]:
    """Cut a text into words, a leading space belonging to its word; joined they give it back.

    Merges never cross from one word into the next. Radford et al. 2019, section 2.2.

    Raises:
        HalfCharacterError: the text is none that UTF-8 can write.
    """
    if text.isascii():
        return _ASCII_WORDS.findall(text)
    whole_characters(text)
    words: list[str] = []
    for line in _LINES.split(text):
        if line.isascii():
            words += _ASCII_WORDS.findall(line)
        else:
            words += [line[a:b] for _, (a, b) in _LIBRARY.pre_tokenize_str(line)]
    return words


@dataclass(frozen=True, slots=True)
class Merge:
    """One step of training.

    Attributes:
        left, right: ids of the pair.
        new: id of the symbol it became.
        count: how often the pair stood in the corpus at that moment; 0 when nobody kept it.
    """

    left: int
    right: int
    new: int
    count: int


@dataclass(frozen=True, slots=True)
class EncodingStep:
    """One step of encoding a word.

    Attributes:
        symbols: ids, after the step.
        merge: index of the merge that was applied; None for the start.
        at: place of the first symbol it joined, in the step before.
    """

    symbols: tuple[int, ...]
    merge: int | None
    at: int | None


@dataclass(frozen=True)
class BPE:
    """A learned byte-pair encoding.

    Ids stand as they were given: a file may put its special tokens first, last (as GPT-2's
    does) or in between, and leave ids out.

    Attributes:
        special: tokens that are never learned or split.
        byte_ids: the id of each of the 256 bytes.
        merges: in the order they were learned.
        vocabulary: the bytes of each id, special tokens as their own text; none for an id
            that is left out.
    """

    special: tuple[str, ...]
    byte_ids: tuple[int, ...]
    merges: tuple[Merge, ...]
    vocabulary: tuple[bytes, ...]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> BPE | None:
        """The encoding that a shipped tokenizer learnt; None when it does not start from bytes."""
        of_bytes = byte_ids(tokenizer)
        if of_bytes is None:
            return None
        merges = tuple(Merge(*ids, count=0) for ids in tokenizer.merges())
        entries = [tokenizer.token(i) for i in range(tokenizer.largest_id + 1)]
        special = tuple(token.piece for token in entries if token.special)
        return cls(special, of_bytes, merges, tuple(token.data for token in entries))

    @cached_property
    def n_entries(self) -> int:
        """How many entries the vocabulary has; the largest id may be beyond."""
        return sum(map(bool, self.vocabulary))

    def rank(self, left: int, right: int) -> int | None:
        """The place of a pair in the list of merges; None when it is not in it."""
        return self._ranks.get((left, right))

    @cached_property
    def _ranks(self) -> dict[tuple[int, int], int]:
        return {(m.left, m.right): rank for rank, m in reversed(list(enumerate(self.merges)))}

    def _base(self, word: str) -> list[int]:
        return [self.byte_ids[byte] for byte in word.encode()]

    def encode_word(self, word: str) -> Iterator[EncodingStep]:
        """Join the pair with the earliest merge, until no merge fits. Yields every stage."""
        symbols = self._base(word)
        yield EncodingStep(tuple(symbols), None, None)
        while len(symbols) > 1:
            pairs = pairwise(symbols)
            none = len(self.merges)
            rank, index = min(
                (self._ranks.get(pair, none), index) for index, pair in enumerate(pairs)
            )
            if rank == none:
                return
            symbols[index : index + 2] = [self.merges[rank].new]
            yield EncodingStep(tuple(symbols), rank, index)

    def encode(self, text: str) -> list[int]:
        """The ids of a text, each distinct word encoded once."""
        cache: dict[str, tuple[int, ...]] = {}
        ids: list[int] = []
        for word in split_words(text):
            if word not in cache:
                *_, last = self.encode_word(word)
                cache[word] = last.symbols
            ids += cache[word]
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids; bytes that are no UTF-8 become the replacement character."""
        return b"".join(self.vocabulary[i] for i in ids).decode(errors="replace")


def byte_ids(tokenizer: Tokenizer) -> tuple[int, ...] | None:
    """The id of each of the 256 bytes; None for another family, or when a byte has no entry."""
    if tokenizer.family != "byte_bpe":
        return None
    byte_tokens = [tokenizer.id_of(char) for _, char in sorted(gpt2_byte_alphabet().items())]
    present = tuple(token_id for token_id in byte_tokens if token_id is not None)
    return present if len(present) == 256 else None


def train_bpe(text: str | Sequence[str], vocab_size: int, *, special: Sequence[str] = ()) -> BPE:
    """Learn merges from a text until the vocabulary is full or nothing is left to merge.

    Args:
        text: the corpus, or its words.
        vocab_size: entries to stop at, the 256 bytes and the special tokens included.
        special: tokens that take the first ids.

    Raises:
        ParameterError: no room for the 256 bytes.
    """
    base = len(special)
    if vocab_size < base + 256:
        raise ParameterError(
            "vocab_size", vocab_size, Phrase(N_("at least {n}: the bytes"), n=base + 256)
        )
    words = split_words(text) if isinstance(text, str) else text
    with _no_collection():
        return _Trainer(words, base).run(vocab_size, tuple(special))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the collector from going through half a million sets, none of which is in a cycle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Trainer:
    """The state of a training run: words as symbols, pair counts, and where each pair stands."""

    def __init__(self, corpus: Sequence[str], base: int) -> None:
        self.base = base
        place = self.byte_ids = [base + _PLACE_OF_BYTE[byte] for byte in range(256)]
        counted = Counter(corpus)
        self.words = [[place[byte] for byte in word.encode()] for word in counted]
        self.counts = list(counted.values())
        self.pair_counts: dict[int, int] = {}
        self.where: dict[int, set[int]] = {}
        pair_counts, where = self.pair_counts, self.where
        for index, (word, count) in enumerate(zip(self.words, self.counts, strict=True)):
            left = word[0]
            for right in word[1:]:
                pair = left << _SHIFT | right
                if pair in pair_counts:
                    pair_counts[pair] += count
                    where[pair].add(index)
                else:
                    pair_counts[pair] = count
                    where[pair] = {index}
                left = right
        self.heap = [(-count, pair) for pair, count in pair_counts.items()]
        heapq.heapify(self.heap)

    def run(self, vocab_size: int, special: tuple[str, ...]) -> BPE:
        vocabulary = [*(s.encode() for s in special), *(bytes((b,)) for b in _BYTES_IN_ORDER)]
        id_of = {data: self.base + n for n, data in enumerate(vocabulary[self.base :])}
        merges: list[Merge] = []
        while len(vocabulary) < vocab_size and (best := self._most_frequent()):
            pair, count = best
            left, right = pair >> _SHIFT, pair & (1 << _SHIFT) - 1
            joined = vocabulary[left] + vocabulary[right]
            # Two pairs can spell the same bytes; the second merge gets the first one's id.
            new = id_of.setdefault(joined, len(vocabulary))
            if new == len(vocabulary):
                vocabulary.append(joined)
            merges.append(Merge(left, right, new, count))
            self._merge(pair, left, right, new)
        return BPE(special, tuple(self.byte_ids), tuple(merges), tuple(vocabulary))

    def _most_frequent(self) -> tuple[int, int] | None:
        """The pair with the highest count, the smallest ids among equals."""
        heap, pair_counts = self.heap, self.pair_counts
        while heap:
            stale, pair = heap[0]
            count = pair_counts[pair]
            if -stale != count:
                if count > 0:
                    heapq.heapreplace(heap, (-count, pair))
                else:
                    heapq.heappop(heap)
                continue
            heapq.heappop(heap)
            return (pair, count) if count > 0 else None
        return None

    def _merge(self, merged: int, left: int, right: int, new: int) -> None:
        """Replace the pair in every word that holds it, and count the pairs around it anew."""
        words, counts, pair_counts, where = self.words, self.counts, self.pair_counts, self.where
        changed: dict[int, int] = {}
        for index in where.pop(merged):
            word, count = words[index], counts[index]
            i, last = 0, len(word) - 1
            while i < last:
                if word[i] != left or word[i + 1] != right:
                    i += 1
                    continue
                word[i : i + 2] = (new,)
                last -= 1
                if i:
                    before = word[i - 1] << _SHIFT
                    changed[before | left] = changed.get(before | left, 0) - count
                    changed[before | new] = changed.get(before | new, 0) + count
                    where.setdefault(before | new, set()).add(index)
                if i < last:
                    after = word[i + 1]
                    gone, new_pair = right << _SHIFT | after, new << _SHIFT | after
                    changed[gone] = changed.get(gone, 0) - count
                    changed[new_pair] = changed.get(new_pair, 0) + count
                    where.setdefault(new_pair, set()).add(index)
                i += 1
        for pair, change in changed.items():
            count = pair_counts.get(pair, 0) + change
            pair_counts[pair] = count
            if change > 0:
                heapq.heappush(self.heap, (-count, pair))
