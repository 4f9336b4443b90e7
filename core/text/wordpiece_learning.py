"""A WordPiece vocabulary learned from a text, with every step on record.

Schuster & Nakajima 2012, section 3: join the pair that makes the training text most likely. That is
the pair that occurs most often *for how often its parts occur*: its score is
``count(ab) / (count(a) * count(b))``, as nobody would join two frequent symbols that only happen to
meet. What made the vocabulary of the shipped BERT (the ``tokenizers`` library) goes by the count
alone; the original code was never published.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tokenizers import normalizers, pre_tokenizers

from core.text.bpe import Merge
from core.text.characters import whole_characters
from core.text.learning import MergeTraining, Replay, in_parts, learnt_from
from core.text.marks import CONTINUES
from core.text.wordpiece import WordPiece

_NORMALIZER = normalizers.BertNormalizer(lowercase=True)
_CUT = pre_tokenizers.BertPreTokenizer()


@dataclass(frozen=True)
class PieceMerges:
    """What WordPiece has learned.

    Attributes:
        merges: in the order they were learned.
        vocabulary: the spelling of each id; the letters of the text come first.
    """

    merges: tuple[Merge, ...]
    vocabulary: tuple[bytes, ...]

    @property
    def n_entries(self) -> int:
        """How many entries the vocabulary has."""
        return len(self.vocabulary)

    @property
    def pieces(self) -> WordPiece:
        """The vocabulary, to cut words by."""
        return WordPiece({entry.decode(): n for n, entry in enumerate(self.vocabulary)})


def words_of(text: str) -> list[str]:
    """The words of a text as BERT's kind reads it: in lower case, signs by themselves.

    Raises:
        HalfCharacterError: the text is none that UTF-8 can write.
    """
    read = _NORMALIZER.normalize_str(whole_characters(text))
    return [word for word, _place in _CUT.pre_tokenize_str(read)]


def spelt_out(word: str) -> list[str]:
    """The letters of a word as entries: all but the first go on with it."""
    return [*word[:1], *(CONTINUES + letter for letter in word[1:])]


def learn_wordpiece(corpus: str, merges: int) -> MergeTraining[PieceMerges]:
    """Learn pieces from a text and keep every state on the way.

    Args:
        corpus: only its beginning is used (``learnt_from``).
        merges: how many at most; fewer when nothing is left to merge.
    """
    text, cut = learnt_from(corpus)
    counted = Counter(in_parts(words_of(text))).most_common()
    vocabulary = sorted({piece for word, _count in counted for piece in spelt_out(word)})
    id_of = {piece: n for n, piece in enumerate(vocabulary)}
    start = [[id_of[piece] for piece in spelt_out(word)] for word, _count in counted]
    replay = Replay(counted, start, scored=True)
    done: list[Merge] = []
    while len(done) < merges and replay.pairs[-1]:
        best = replay.pairs[-1][0]
        piece = vocabulary[best.left] + vocabulary[best.right].removeprefix(CONTINUES)
        # Two pairs can spell the same piece; the second merge gets the first one's id.
        new = id_of.setdefault(piece, len(vocabulary))
        if new == len(vocabulary):
            vocabulary.append(piece)
        done.append(Merge(best.left, best.right, new, best.count))
        replay.step(done[-1])
    code = PieceMerges(tuple(done), tuple(piece.encode() for piece in vocabulary))
    return replay.training(text, cut, code)
