"""Where sentences end, in a text and in a vocabulary."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.text.noise import NoiseVocabulary
from core.text.tokenizer import Tokenizer

ENDS_SENTENCE = re.compile(r"[.!?][\"')\]]*$")


def sentence_ends(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """For each vocabulary entry: does a sentence end with it? ``(V,)``."""
    words = [tokenizer.word(i) for i in range(tokenizer.vocab_size)]
    return np.array([bool(ENDS_SENTENCE.search(word)) or "\n" in word for word in words])


@lru_cache(maxsize=4)
def marks_of(tokenizer: Tokenizer) -> NoiseVocabulary:
    """What noise has to know of a vocabulary."""
    return NoiseVocabulary(tokenizer.hiding[0], sentence_ends(tokenizer))


_BETWEEN = re.compile(r"(?<=[.!?])[\"')\]]*\s+")


def sentence_starts(text: str) -> list[int]:
    """Where each sentence of a text but the first begins."""
    starts = (match.end() for match in _BETWEEN.finditer(text))
    return [start for start in starts if text[start:].strip()]


def second_half(text: str) -> int:
    """Where a text is best cut in two: where a sentence, or else a word, begins near its middle.

    Of a text that has one word alone it is the length.
    """
    starts = sentence_starts(text) or [
        match.end() for match in re.finditer(r"(?<=\S)\s+(?=\S)", text)
    ]
    return min(starts, key=lambda place: abs(place - len(text) / 2), default=len(text))
