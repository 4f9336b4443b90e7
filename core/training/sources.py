"""The files that models learn from: packed text, read document by document or pair by pair."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import CorpusError
from core.language import N_, Phrase
from core.text.sentences import ENDS_SENTENCE

# Raise it when a change here changes the text, so that old caches are not read.
CLEANING_VERSION = 1
UNLICENSED = "no formal licence"  # of what is free to use by custom alone
_LIST_OF_SENTENCES = 24  # single sentences are bundled, so that few documents are one line long


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """One corpus file.

    Attributes:
        name: short, as reports print it.
        file: in the corpora directory: ``.txt.xz``, ``.tsv.xz`` or, of pictures, ``.npz``; or the
            whole path of a ``.tsv`` that comes with the app.
        licence: of what it holds; ``UNLICENSED`` for none.
        credit: whom the licence asks to be named.
        column: of a ``.tsv.xz`` file that is read as plain text: where the sentences stand.
        valid: the file of unseen documents that belongs to it, if there is one.
        prose: drop paragraphs that do not end like a sentence (encyclopaedia left-overs).
    """

    name: str
    file: str
    licence: str
    credit: str
    column: str | None = None
    valid: str | None = None
    prose: bool = False


def _lines(path: Path, newline: str | None = None) -> Iterator[str]:
    """The lines of a text file, unpacked on the way."""
    read = lzma.open if path.suffix == ".xz" else open
    try:
        with read(path, "rt", encoding="utf-8", newline=newline) as lines:
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


def read_pairs(path: Path, first: str, second: str) -> Iterator[tuple[str, str]]:
    """The rows of a ``.tsv.xz`` file: what stands in two of its columns.

    Raises:
        CorpusError: the file is missing, is not xz, or has no such column in some line.
    """
    for row in read_columns(path, first, second):
        yield row[0], row[1]


def read_columns(path: Path, *names: str) -> Iterator[tuple[str, ...]]:
    """The rows of a ``.tsv.xz`` file, of each what stands in the columns of these names.

    Raises:
        CorpusError: as ``read_pairs``.
    """
    rows = (line.rstrip("\n").split("\t") for line in _lines(path, "\n"))
    header = next(rows, [])
    for name in names:
        if name not in header:
            raise CorpusError(
                path,
                Phrase(
                    N_("no column {column} among {header}"),
                    column=repr(name),
                    header=", ".join(header),
                ),
            )
    places = [header.index(name) for name in names]
    for row in rows:
        if len(row) != len(header):
            raise CorpusError(
                path,
                Phrase(N_("a line with {n} columns of {wanted}"), n=len(row), wanted=len(header)),
            )
        yield tuple(row[place] for place in places)


def read_sentences(path: Path, column: str) -> Iterator[str]:
    """Different sentences of one column of a ``.tsv.xz`` file, bundled into documents.

    The bundles are drawn from all over the file (in an order that depends on
    the sentences alone), because neighbours in it are often near-copies.

    Raises:
        CorpusError: the file is missing, is not xz, or has no such column in some line.
    """
    sentences = {sentence for (sentence,) in read_columns(path, column)}
    shuffled = sorted(sentences, key=stable_hash)
    for start in range(0, len(shuffled), _LIST_OF_SENTENCES):
        yield "\n".join(shuffled[start : start + _LIST_OF_SENTENCES])


def clean(document: str, *, prose: bool) -> str:
    """Drop paragraphs that do not end like a sentence, if the source asks for prose."""
    if not prose:
        return document
    return "\n".join(p for p in document.split("\n") if len(p) > 40 and ENDS_SENTENCE.search(p))


def stable_hash(text: str) -> int:
    """The same number for a text in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def is_held_out(document: str) -> bool:
    """One document in a hundred, chosen by its own text: it is never trained on."""
    return stable_hash(document) % 100 == 0


def documents_of(source: CorpusFile, directory: Path) -> Iterator[str]:
    """All documents of a source, cleaned; empty ones left out."""
    path = directory / source.file
    raw = read_sentences(path, source.column) if source.column else read_documents(path)
    for document in raw:
        if cleaned := clean(document, prose=source.prose):
            yield cleaned


def tokenizer_sample(
    sources: Sequence[CorpusFile],
    shares: Mapping[str, float],
    directory: Path,
    n_bytes: int = 40_000_000,
) -> Iterator[str]:
    """Text to train a tokenizer on: each source by its share, held-out documents left out."""
    total = sum(shares.values())
    for source in sources:
        room = n_bytes * shares[source.name] / total
        for document in documents_of(source, directory):
            if is_held_out(document):
                continue
            room -= len(document.encode())
            yield document
            if room < 0:
                break
