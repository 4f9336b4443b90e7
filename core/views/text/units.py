"""The words of a text as a model's own tokenizer looks them up, beside the words of all views."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from core.runs.results import Tokenized
from core.text.bpe import split_words
from core.text.unigram import Unigram
from core.text.wordpiece import WordPiece

MAX_LETTERS = 24  # that are drawn of a word


@dataclass(frozen=True, slots=True)
class Looked:
    """What is looked up for one word of a text.

    Attributes:
        words: the tokenizer's own; none where it reads nothing there, several where it cuts
            further.
    """

    words: tuple[str, ...]

    @property
    def n_letters(self) -> int:
        """How many letters they have."""
        return sum(map(len, self.words))

    @property
    def drawn(self) -> tuple[str, ...]:
        """As many of the letters as are drawn."""
        found, room = [], MAX_LETTERS
        for word in self.words:
            if room > 0:
                found.append(word[:room])
                room -= len(word)
        return tuple(found)


def looked_up(run: Tokenized, pieces: WordPiece | Unigram) -> list[Looked]:
    """For each word of a text those that the tokenizer looks up, as far as they are in it."""
    words = split_words(run.text)
    bounds = list(accumulate(map(len, words), initial=0))
    spans = _spans(run, pieces)
    return [
        Looked(tuple(own for own, start, end in spans if start < bounds[n + 1] and end > bounds[n]))
        for n in range(len(words))
    ]


def _spans(run: Tokenized, pieces: WordPiece | Unigram) -> list[tuple[str, int, int]]:
    """The tokenizer's own words, and where its tokens say that they stand in the text."""
    tokens = [token for token in run.tokens if not token.special]
    found, at = [], 0
    for word in run.words:
        n = len(pieces.encode_word(word))
        own = tokens[at : at + n]
        at += n
        if own:
            found.append((word, own[0].start, own[-1].end))
    return found
