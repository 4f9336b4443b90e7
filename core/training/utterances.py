"""Short utterances: what people type first into a translator, read more often than long sentences.

A corpus of sentences holds each greeting once or twice, always with its full stop. Here a short
pair is read several times, its source as people write it: with and without the stop, in small
letters and in capitals, alone and behind another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

import numpy as np

from core.spelling import letters
from core.text.sentences import ENDS_SENTENCE

Pair = tuple[str, str]  # a sentence and its translation

COPIES = {1: 60, 2: 40, 3: 12, 4: 2}  # by the words of the source
_BETWEEN = re.compile(r"(?<=[.!?])\s")
_STOP = " .!?\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_AS_IT_IS, _NO_STOP, _SMALL, _CAPITALS = range(4)
_WAYS = (0.45, 0.3, 0.15, 0.1)  # how often a copy is written in each of these ways
_JOINED = 0.12  # share of the copies that stand behind another utterance


def with_utterances(pairs: Sequence[Pair], unseen: Set[str]) -> list[Pair]:
    """All pairs, and copies of the short ones: the same in every process.

    Args:
        pairs: sentences and their translations. Two that consist of as many sentences are taken
            apart, too, where the parts are short.
        unseen: the letters of the sentences that no part may be.
    """
    rng = np.random.default_rng(0)
    parts = [part for part in _taken_apart(pairs) if not unseen & set(map(letters, part))]
    short = [pair for pair in [*pairs, *parts] if _n_words(pair) in COPIES]
    ways = rng.choice(len(_WAYS), p=_WAYS, size=sum(COPIES[_n_words(pair)] for pair in short))
    copies: list[Pair] = []
    for pair in short:
        for _ in range(COPIES[_n_words(pair)]):
            source, target = pair
            if rng.random() < _JOINED:
                before = short[rng.integers(len(short))]
                copies.append((f"{before[0]} {source}", f"{before[1]} {target}"))
            else:
                copies.append((_written(source, int(ways[len(copies)])), target))
    return [*pairs, *copies]


def _n_words(pair: Pair) -> int:
    return sum(any(map(str.isalnum, word)) for word in pair[0].split())


def _taken_apart(pairs: Sequence[Pair]) -> list[Pair]:
    """The sentences of pairs that hold as many of them on both sides."""
    both = [tuple(map(_BETWEEN.split, pair)) for pair in pairs]
    return [
        part
        for sides in both
        if len(sides[0]) == len(sides[1]) > 1
        for part in zip(*sides, strict=True)
        if all(map(ENDS_SENTENCE.search, part))
    ]


def _written(source: str, way: int) -> str:
    if way == _AS_IT_IS:
        return source
    if way == _CAPITALS:
        return source.upper()
    bare = source.rstrip(_STOP)
    return bare if way == _NO_STOP else bare[:1].lower() + bare[1:]
