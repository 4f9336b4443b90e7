"""Documents as whole words, for models that read them by their letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.encoders import Spelling
from core.errors import CorpusError
from core.language import N_, Phrase
from core.text.marks import END, START, UNK
from core.text.sentences import ENDS_SENTENCE
from core.text.tokenizer import Tokenizer
from core.training.sources import CorpusFile
from core.training.streams import TokenStream, chosen, key_of, store
from core.training.tasks.task import Corpora, Split

MARKS = (START, END)


@dataclass(frozen=True)
class Lexicon:
    """The different words of a corpus; more than have an entry in the vocabulary.

    Attributes:
        letters: rows of each word's characters, ``(L, W)``.
        entries: the entry of each in the vocabulary, ``(L,)``.
        ends_sentence: whether a sentence ends with it, ``(L,)``.
        start: the number of the mark before a document.
    """

    letters: NDArray[np.uint8]
    entries: NDArray[np.int64]
    ends_sentence: NDArray[np.bool_]
    start: int

    @classmethod
    def of(cls, words: Sequence[str], tokenizer: Tokenizer, spelling: Spelling) -> Lexicon:
        """That of some words, among which are the marks."""
        letters = spelling.words(words)
        for mark in MARKS:
            letters[words.index(mark)] = spelling.words([mark], marks=True)[0]
        unknown = tokenizer.mark(UNK)
        entries = (tokenizer.id_of(word) for word in words)
        ends = (word == END or bool(ENDS_SENTENCE.search(word)) for word in words)
        return cls(
            letters.astype(np.uint8),
            np.array([unknown if entry is None else entry for entry in entries], np.int64),
            np.array(list(ends)),
            words.index(START),
        )


def read_words(
    sources: Sequence[CorpusFile], corpora: Corpora, split: Split
) -> tuple[dict[str, TokenStream], Lexicon]:
    """The documents of each source's split as numbers of a lexicon, and the lexicon of them all.

    Every document ends with its mark.

    Raises:
        CorpusError: a file is missing or holds no document of the split.
    """
    numbers = {mark: n for n, mark in enumerate(MARKS)}
    streams = {}
    for source in sources:
        stream, words = _stored(source, corpora, split)
        shared = np.array([numbers.setdefault(word, len(numbers)) for word in words], np.uint32)
        streams[source.name] = TokenStream(shared[stream.ids], stream.starts)
    assert corpora.encoders.spelling is not None  # a model that spells words out has this encoder
    return streams, Lexicon.of(list(numbers), corpora.tokenizer, corpora.encoders.spelling)


def _stored(source: CorpusFile, corpora: Corpora, split: Split) -> tuple[TokenStream, list[str]]:
    """The documents of a source as numbers of its own words, from the cache if they are there."""
    path = corpora.directory / source.file
    if not path.is_file():
        raise CorpusError(path, N_("no such file; name the corpora directory with --corpora"))
    key = key_of(source, path, corpora, split)
    stored = corpora.cache / f"{source.name}-{split}-words-{key}.npz"
    if stored.is_file():
        with np.load(stored) as arrays:
            words = bytes(arrays["words"]).decode().split("\n")
            return TokenStream(arrays["ids"], arrays["starts"]), words
    numbers = {END: 0}
    stream = numbered(chosen(source, corpora, split), corpora.tokenizer, numbers)
    if not stream.n_documents:
        raise CorpusError(path, Phrase(N_("no document in the {split} split"), split=split))
    spelt = np.frombuffer("\n".join(numbers).encode(), np.uint8)
    store(stored, ids=stream.ids, starts=stream.starts, words=spelt)
    return stream, list(numbers)


def numbered(
    documents: Iterable[str], tokenizer: Tokenizer, numbers: dict[str, int]
) -> TokenStream:
    """Documents as numbers of words; a new word gets the next number."""
    parts, starts = [], [0]
    for document in documents:
        words = [*tokenizer.words(document), END]
        parts.append(
            np.array([numbers.setdefault(word, len(numbers)) for word in words], np.uint32)
        )
        starts.append(starts[-1] + len(words))
    ids = np.concatenate(parts) if parts else np.zeros(0, np.uint32)
    return TokenStream(ids, np.array(starts, np.int64))


def check_enough(
    streams: Mapping[str, TokenStream], sources: Sequence[CorpusFile], corpora: Corpora, n_ctx: int
) -> None:
    """See that each source fills a row of ``n_ctx`` words.

    Raises:
        CorpusError: one does not.
    """
    for source in sources:
        if len(streams[source.name].ids) <= n_ctx:
            raise CorpusError(
                corpora.directory / source.file, N_("too little text to fill one row")
            )
