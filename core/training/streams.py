"""Documents as ids, end to end, made once and kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import CorpusError
from core.language import N_, Phrase
from core.text.tokenizer import Tokenizer
from core.training.sources import (
    CLEANING_VERSION,
    CorpusFile,
    documents_of,
    is_held_out,
    stable_hash,
)
from core.training.tasks.task import Corpora, Split

Ids = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class TokenStream:
    """Documents of one source as ids, end to end.

    Attributes:
        ids: all tokens, without any document marks.
        starts: where each document begins; one more entry for the end.
    """

    ids: Ids
    starts: NDArray[np.int64]

    @property
    def n_documents(self) -> int:
        return len(self.starts) - 1

    def document(self, n: int) -> Ids:
        return self.ids[self.starts[n] : self.starts[n + 1]]


def encode_documents(documents: Iterable[str], tokenizer: Tokenizer) -> TokenStream:
    """Encode documents in batches."""
    parts: list[Ids] = []
    starts = [0]
    batch: list[str] = []
    # As narrow as the ids allow: of a corpus there are tens of millions in memory.
    wide = tokenizer.largest_id >= 2**16
    kind: np.dtype[np.unsignedinteger[Any]] = np.dtype(np.uint32 if wide else np.uint16)

    def flush() -> None:
        for ids in tokenizer.encode_batch(batch):
            parts.append(np.array(ids, dtype=kind))
            starts.append(starts[-1] + len(ids))
        batch.clear()

    for document in documents:
        batch.append(document)
        if len(batch) == 512:
            flush()
    flush()
    ids = np.concatenate(parts) if parts else np.zeros(0, kind)
    return TokenStream(ids, np.array(starts, dtype=np.int64))


def load_stream(source: CorpusFile, corpora: Corpora, split: Split) -> TokenStream:
    """The tokens of a source's split, from the cache when they were made before.

    Raises:
        CorpusError: the corpus file is missing or holds no document of the split.
    """
    path = corpora.directory / source.file
    if not path.is_file():
        raise CorpusError(path, N_("no such file; name the corpora directory with --corpora"))
    stored = corpora.cache / f"{source.name}-{split}-{key_of(source, path, corpora, split)}.npz"
    if stored.is_file():
        with np.load(stored) as arrays:
            return TokenStream(arrays["ids"], arrays["starts"])
    stream = encode_documents(chosen(source, corpora, split), corpora.tokenizer)
    if not stream.n_documents:
        raise CorpusError(path, Phrase(N_("no document in the {split} split"), split=split))
    store(stored, ids=stream.ids, starts=stream.starts)
    return stream


def chosen(source: CorpusFile, corpora: Corpora, split: Split) -> Iterator[str]:
    """The documents of a source's split."""
    for document in documents_of(source, corpora.directory):
        if is_held_out(document) == (split == "held_out"):
            yield document


def store(path: Path, **arrays: NDArray[Any]) -> None:
    """Keep arrays between runs; other processes may be at it, too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(partial, allow_pickle=False, **arrays)
    partial.replace(path)


def key_of(source: CorpusFile, path: Path, corpora: Corpora, split: Split) -> str:
    """A hash of everything that decides the tokens: the text, how it is read, the tokenizer."""
    with path.open("rb") as file:
        text = hashlib.file_digest(file, hashlib.blake2b).hexdigest()
    read = (CLEANING_VERSION, source.column, source.prose, split, corpora.tokenizer.fingerprint)
    return f"{stable_hash(f'{text} {read}'):016x}"


def stream_for_rows(source: CorpusFile, corpora: Corpora, split: Split, n_ctx: int) -> TokenStream:
    """The same, if it is enough for a row of ``n_ctx`` tokens.

    Raises:
        CorpusError: as ``load_stream``, or there is too little text.
    """
    stream = load_stream(source, corpora, split)
    if len(stream.ids) <= n_ctx:
        raise CorpusError(
            corpora.directory / source.file,
            Phrase(N_("too little text in the {split} split to fill one row"), split=split),
        )
    return stream
