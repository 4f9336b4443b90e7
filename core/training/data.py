"""From packed text files to rows of ids, each row starting where a document or sentence starts."""

from __future__ import annotations

import hashlib
import lzma
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import CorpusError, ParameterError
from core.language import N_, Phrase
from core.text.tokenizer import Tokenizer

Ids = NDArray[np.uint16]

CLEANING_VERSION = (
    1  # raise it when a change here changes the text, so that old caches are not read
)
_ENDS_SENTENCE = re.compile(r"[.!?][\"')\]]*$")
_LIST_OF_SENTENCES = 24  # single sentences are bundled, so that few documents are one line long


@dataclass(frozen=True, slots=True)
class Source:
    """One corpus file and its share of a training mix.

    Attributes:
        name: short, as reports print it.
        file: in the corpora directory, ``.txt.xz`` or ``.tsv.xz``.
        weight: share of the training rows, relative to the other sources.
        licence: of the text.
        credit: whom the licence asks to be named.
        column: of a ``.tsv.xz`` file: where the sentences stand.
        valid: the file of unseen documents that belongs to it, if there is one.
        prose: drop paragraphs that do not end like a sentence (encyclopaedia left-overs).
        dropout: rate for its rows, where they come round often.
        whole: share of the cut documents, of those that would fit into one row of next-token
            text, that the next row starts with again.
    """

    name: str
    file: str
    weight: float
    licence: str
    credit: str
    column: str | None = None
    valid: str | None = None
    prose: bool = False
    dropout: float = 0.0
    whole: float = 0.0


def _lines(path: Path, newline: str | None = None) -> Iterator[str]:
    """The lines of a packed text file, unpacked on the way."""
    try:
        with lzma.open(path, "rt", encoding="utf-8", newline=newline) as lines:
            yield from lines
    except FileNotFoundError as missing:
        raise CorpusError(
            path, N_("no such file; name the corpora directory with --corpora")
        ) from missing
    except (lzma.LZMAError, UnicodeDecodeError, EOFError) as broken:
        raise CorpusError(
            path, Phrase(N_("not readable text packed with xz ({reason})"), reason=str(broken))
        ) from broken


def read_documents(path: Path) -> Iterator[str]:
    """The documents of a ``.txt.xz`` file: paragraphs a line each, a blank line between documents.

    Raises:
        CorpusError: the file is missing or is not xz.
    """
    paragraphs: list[str] = []
    for line in _lines(path):
        if line.strip():
            paragraphs.append(line.strip())
        elif paragraphs:
            yield "\n".join(paragraphs)
            paragraphs = []
    if paragraphs:
        yield "\n".join(paragraphs)


def read_sentences(path: Path, column: str) -> Iterator[str]:
    """Different sentences of one column of a ``.tsv.xz`` file, bundled into documents.

    The bundles are drawn from all over the file (in an order that depends on
    the sentences alone), because neighbours in it are often near-copies.

    Raises:
        CorpusError: the file is missing, is not xz, or has no such column in some line.
    """
    rows = (line.rstrip("\n").split("\t") for line in _lines(path, "\n"))
    header = next(rows, [])
    if column not in header:
        raise CorpusError(
            path,
            Phrase(
                N_("no column {column} among {header}"),
                column=repr(column),
                header=", ".join(header),
            ),
        )
    at = header.index(column)
    try:
        sentences = {row[at] for row in rows}
    except IndexError as short:
        raise CorpusError(
            path, Phrase(N_("a line without the column {column}"), column=repr(column))
        ) from short
    shuffled = sorted(sentences, key=lambda sentence: _stable_hash(sentence))
    for start in range(0, len(shuffled), _LIST_OF_SENTENCES):
        yield "\n".join(shuffled[start : start + _LIST_OF_SENTENCES])


def clean(document: str, *, prose: bool) -> str:
    """Drop paragraphs that do not end like a sentence, if the source asks for prose."""
    if not prose:
        return document
    return "\n".join(p for p in document.split("\n") if len(p) > 40 and _ENDS_SENTENCE.search(p))


def _stable_hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def is_held_out(document: str) -> bool:
    """One document in a hundred, chosen by its own text: it is never trained on."""
    return _stable_hash(document) % 100 == 0


def documents_of(source: Source, corpora: Path) -> Iterator[str]:
    """All documents of a source, cleaned; empty ones left out."""
    path = corpora / source.file
    raw = read_sentences(path, source.column) if source.column else read_documents(path)
    for document in raw:
        if cleaned := clean(document, prose=source.prose):
            yield cleaned


def tokenizer_sample(
    sources: Sequence[Source], corpora: Path, n_bytes: int = 40_000_000
) -> Iterator[str]:
    """Text to train a tokenizer on: each source by its weight, held-out documents left out."""
    total = sum(source.weight for source in sources)
    for source in sources:
        room = n_bytes * source.weight / total
        for document in documents_of(source, corpora):
            if is_held_out(document):
                continue
            room -= len(document.encode())
            yield document
            if room < 0:
                break


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

    def flush() -> None:
        for ids in tokenizer.encode_batch(batch):
            parts.append(np.array(ids, dtype=np.uint16))
            starts.append(starts[-1] + len(ids))
        batch.clear()

    for document in documents:
        batch.append(document)
        if len(batch) == 512:
            flush()
    flush()
    ids = np.concatenate(parts) if parts else np.zeros(0, np.uint16)
    return TokenStream(ids, np.array(starts, dtype=np.int64))


def load_stream(
    source: Source,
    corpora: Path,
    tokenizer: Tokenizer,
    split: Literal["train", "held_out"],
    cache: Path,
) -> TokenStream:
    """The tokens of a source's split, from the cache when they were made before.

    Raises:
        CorpusError: the corpus file is missing or holds no document of the split.
    """
    path = corpora / source.file
    if not path.is_file():
        raise CorpusError(path, N_("no such file; name the corpora directory with --corpora"))
    words = (
        f"{CLEANING_VERSION} {source.name} {split} {path.stat().st_size} {tokenizer.fingerprint}"
    )
    stored = cache / f"{source.name}-{split}-{_stable_hash(words):016x}.npz"
    if stored.is_file():
        with np.load(stored) as arrays:
            return TokenStream(arrays["ids"], arrays["starts"])
    chosen = (
        document
        for document in documents_of(source, corpora)
        if is_held_out(document) == (split == "held_out")
    )
    stream = encode_documents(chosen, tokenizer)
    if not stream.n_documents:
        raise CorpusError(path, Phrase(N_("no document in the {split} split"), split=split))
    cache.mkdir(parents=True, exist_ok=True)
    partial = stored.with_suffix(f".{os.getpid()}.npz")  # other processes may be at it too
    np.savez(partial, ids=stream.ids, starts=stream.starts)
    partial.replace(stored)
    return stream


def sentence_ends(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """For each vocabulary entry: does a sentence end with it? ``(V,)``."""
    words = [tokenizer.word(i) for i in range(tokenizer.vocab_size)]
    return np.array([bool(_ENDS_SENTENCE.search(word)) or "\n" in word for word in words])


def pack_rows(
    stream: TokenStream,
    n_ctx: int,
    mark: int,
    ends_sentence: NDArray[np.bool_],
    *,
    whole: float = 0.0,
) -> Ids:
    """Rows of ``n_ctx + 1`` ids, each starting with ``mark`` and then a document or a sentence.

    Documents follow each other within a row with a mark between them. When a
    row is full, the next one starts at the next sentence or document; what is
    left of the cut sentence is dropped (4 % of the tokens of an encyclopaedia),
    but never more than a quarter of a row: then the next row starts inside it.
    No row is padded.

    Args:
        stream: the documents.
        n_ctx: predictions a row makes: it holds one id more.
        mark: the id that stands before every document.
        ends_sentence: for each id, whether a sentence ends with it.
        whole: of the times a row cuts a document of at most ``n_ctx`` tokens, the share after
            which the next row starts with that document again, so that short ones are read
            from their start; the others teach to go on from a sentence in their midst.

    Returns:
        ``(R, n_ctx + 1)``.
    """
    n = len(stream.ids) + stream.n_documents
    marked = np.empty(n, np.uint16)
    is_start = np.zeros(n, bool)  # a row may begin here: at a mark, or at a sentence
    mark_at = stream.starts[:-1] + np.arange(stream.n_documents)
    body = np.ones(n, bool)
    body[mark_at] = False
    marked[mark_at] = mark
    marked[body] = stream.ids
    is_start[1:] = body[:-1] & ends_sentence[marked[:-1]]
    is_start[mark_at] = True
    # The next place at or after each position where a row may begin.
    places = np.where(is_start, np.arange(n), n)
    next_start = np.minimum.accumulate(places[::-1])[::-1]

    rows: list[Ids] = []
    again = 0.0  # documents owed a new start, in parts of one
    at = 0
    while at < n:
        first = at + 1 if marked[at] == mark else at  # the row's own mark stands for the document's
        if first + n_ctx > n:
            break
        rows.append(np.concatenate(([np.uint16(mark)], marked[first : first + n_ctx])))
        end = first + n_ctx
        cut = int(np.searchsorted(mark_at, end, side="right")) - 1
        if end < n and stream.starts[cut + 1] - stream.starts[cut] <= n_ctx:
            again += whole
        if end >= n:
            at = n
        elif again >= 1:
            again -= 1
            at = int(mark_at[cut])
        else:
            at = min(int(next_start[end]), end + n_ctx // 4)
    if not rows:
        return np.zeros((0, n_ctx + 1), np.uint16)
    return np.stack(rows)


def repeat_rows(rows: Ids, n_rows: int, fragment: int, rng: np.random.Generator) -> Ids:
    """Rows in which every passage comes twice in a row: what induction heads learn from.

    Olsson et al. 2022, "In-context learning and induction heads", uses such
    sequences as its probe. Each row is the mark and then fragments of
    ``fragment`` ids, each said twice.
    """
    width = rows.shape[1] - 1
    per_row = -(-width // (2 * fragment))
    picks = rng.integers(0, len(rows), (n_rows, per_row))
    offsets = rng.integers(1, width - fragment + 2, (n_rows, per_row))
    made = np.empty((n_rows, 2 * fragment * per_row + 1), np.uint16)
    made[:, 0] = rows[0, 0]
    for r in range(n_rows):
        for p in range(per_row):
            piece = rows[picks[r, p], offsets[r, p] : offsets[r, p] + fragment]
            start = 1 + 2 * fragment * p
            made[r, start : start + fragment] = piece
            made[r, start + fragment : start + 2 * fragment] = piece
    return made[:, : width + 1]


class Mixture:
    """Which row of which source stands where in a run: a pure function of the seed.

    Every source is read through in a new order each epoch; which source a place
    takes is drawn by weight. Nothing depends on what was asked for before, so a
    run can be resumed, or split over processes, at any row.

    Args:
        weights: of each source.
        sizes: rows of each source.
        seed: of all draws.
        late: each (first place, weights from there on), the place a multiple of ``BLOCK``.
    """

    BLOCK = 4096  # places whose sources are drawn together

    def __init__(
        self,
        weights: Sequence[float],
        sizes: Sequence[int],
        seed: int,
        late: Sequence[tuple[int, Sequence[float]]] = (),
    ) -> None:
        self._mixes: list[tuple[int, NDArray[np.float64]]] = []
        for first, mix in ((0, weights), *late):
            if first % self.BLOCK:
                raise ParameterError(
                    "late", first, Phrase(N_("a multiple of {n} rows"), n=self.BLOCK)
                )
            shares = np.array(mix, dtype=np.float64) / sum(mix)
            self._mixes.append((first // self.BLOCK, shares))
        self._sizes = list(sizes)
        self._seed = seed
        self._before: list[NDArray[np.int64]] = [np.zeros(len(sizes), np.int64)]
        self._orders: dict[tuple[int, int], NDArray[np.int64]] = {}

    def _sources(self, block: int) -> NDArray[np.int64]:
        rng = np.random.default_rng((self._seed, 0, block))
        shares = [shares for first, shares in self._mixes if first <= block][-1]
        return rng.choice(len(shares), size=self.BLOCK, p=shares)

    def _counts_before(self, block: int) -> NDArray[np.int64]:
        while len(self._before) <= block:
            drawn = self._sources(len(self._before) - 1)
            counts = np.bincount(drawn, minlength=len(self._sizes))
            self._before.append(self._before[-1] + counts)
        return self._before[block]

    def _row(self, source: int, n: int) -> int:
        epoch, at = divmod(n, self._sizes[source])
        key = (source, epoch)
        if key not in self._orders:
            self._orders = {k: v for k, v in self._orders.items() if k[0] != source}
            rng = np.random.default_rng((self._seed, 1, source, epoch))
            self._orders[key] = rng.permutation(self._sizes[source])
        return int(self._orders[key][at])

    def place(self, start: int, n: int) -> list[tuple[int, int]]:
        """(source, row) of the places ``start`` to ``start + n``."""
        found = []
        block = -1
        for at in range(start, start + n):
            if at // self.BLOCK != block:
                block = at // self.BLOCK
                drawn, counts = self._sources(block), self._counts_before(block)
            inside = at % self.BLOCK
            source = int(drawn[inside])
            earlier = int(counts[source] + (drawn[:inside] == source).sum())
            found.append((source, self._row(source, earlier)))
        return found
