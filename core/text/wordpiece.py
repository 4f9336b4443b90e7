"""WordPiece as it cuts a word, with every try on record.

Devlin et al. 2019, section 3, after Wu et al. 2016, section 4.1: from the left, again and again
take the longest entry of the vocabulary that the rest of the word begins with. An entry that does
not begin a word is spelt with ``##``. A word for whose rest there is no entry is unknown as a
whole. The tokens are those of the ``tokenizers`` library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from core.text.marks import CONTINUES, UNK
from core.text.tokenizer import Tokenizer

LONGEST_WORD = 100  # letters; a longer word is unknown


@dataclass(frozen=True, slots=True)
class Try:
    """One look into the vocabulary.

    Attributes:
        start, end: of the letters that were looked up, in the word.
        piece: as the vocabulary would spell them.
        id: of the entry; None when there is none.
    """

    start: int
    end: int
    piece: str
    id: int | None


@dataclass(frozen=True)
class WordPiece:
    """A vocabulary of pieces.

    Attributes:
        ids: of each entry, by how it is spelt.
        unknown: what stands for a word that cannot be written.
        prefix: before an entry that goes on with a word.
        longest_word: letters of a word that is looked up at all.
    """

    ids: Mapping[str, int]
    unknown: str = UNK
    prefix: str = CONTINUES
    longest_word: int = LONGEST_WORD

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> WordPiece | None:
        """The vocabulary of a shipped tokenizer; None when it is of another kind."""
        if tokenizer.family != "wordpiece":
            return None
        file = tokenizer.learned()
        return cls(
            file["vocab"],
            file["unk_token"],
            file["continuing_subword_prefix"],
            file["max_input_chars_per_word"],
        )

    @cached_property
    def n_entries(self) -> int:
        """How many entries the vocabulary has."""
        return len(self.ids)

    def tries(self, word: str) -> Iterator[Try]:
        """Every look into the vocabulary, the longest prefix of the rest first.

        A word that is too long is not looked up at all.
        """
        start = 0
        while start < len(word) <= self.longest_word:
            for end in range(len(word), start, -1):
                piece = (self.prefix if start else "") + word[start:end]
                token_id = self.ids.get(piece)
                yield Try(start, end, piece, token_id)
                if token_id is not None:
                    break
            else:
                return
            start = end

    def encode_word(self, word: str) -> list[str]:
        """The pieces of a word, or the mark of an unknown one."""
        tries = [attempt for attempt in self.tries(word) if attempt.id is not None]
        whole = sum(attempt.end - attempt.start for attempt in tries) == len(word)
        return [attempt.piece for attempt in tries] if whole else [self.unknown]
