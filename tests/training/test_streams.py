"""Token streams: documents as ids, split, kept, and made anew when something changed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.encoders import Encoders
from core.errors import CorpusError
from core.text.sentences import sentence_ends
from core.training import streams
from core.training.rows import pack_rows, repeat_rows
from core.training.sources import CorpusFile, is_held_out
from core.training.streams import (
    encode_documents,
    load_stream,
    stream_for_rows,
)
from core.training.tasks.task import Corpora
from tests.training.corpora import pack


def source(name: str) -> CorpusFile:
    return CorpusFile(name, f"{name}.txt.xz", "CC0", "nobody")


def corpora(directory: Path, tokenizer) -> Corpora:
    return Corpora(directory, directory / "cache", Encoders(tokenizer), seed=0)


def test_streams_hold_the_documents_without_marks(byte_bpe):
    documents = [f"The dog sat {n} times." for n in range(1100)]  # more than two batches
    stream = encode_documents(documents, byte_bpe)
    assert stream.n_documents == 1100
    for n in (0, 511, 512, 1099):
        assert byte_bpe.decode(stream.document(n)) == documents[n]
    assert byte_bpe.end_of_text_id not in stream.ids
    assert encode_documents([], byte_bpe).n_documents == 0


class Wide:
    """A tokenizer whose last id does not fit 16 bits."""

    largest_id = 2**16

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        return [[0, self.largest_id] for _ in texts]


def test_a_vocabulary_may_have_more_entries_than_16_bits_can_number():
    stream = encode_documents(["a", "b"], Wide())
    assert stream.ids.tolist() == [0, 2**16, 0, 2**16]
    rows = pack_rows(stream, 1, mark=2**16, ends_sentence=np.ones(2**16 + 1, bool))
    assert repeat_rows(rows, 1, 1, np.random.default_rng(0)).max() == 2**16


@pytest.fixture
def directory(tmp_path) -> Path:
    pack(tmp_path / "a.txt.xz", "\n\n".join(f"The dog saw {n} cats." for n in range(500)))
    return tmp_path


def test_splits_share_no_document_and_lose_none(directory, byte_bpe):
    streams = [
        load_stream(source("a"), corpora(directory, byte_bpe), split)
        for split in ("train", "held_out")
    ]
    texts = [{byte_bpe.decode(s.document(n)) for n in range(s.n_documents)} for s in streams]
    assert not texts[0] & texts[1]
    assert len(texts[0] | texts[1]) == 500
    assert all(map(is_held_out, texts[1]))


def test_a_stream_is_encoded_once(directory, byte_bpe, monkeypatch):
    first = load_stream(source("a"), corpora(directory, byte_bpe), "train")
    monkeypatch.setattr(streams, "encode_documents", lambda *_: pytest.fail("encoded again"))
    again = load_stream(source("a"), corpora(directory, byte_bpe), "train")
    assert (again.ids == first.ids).all()
    assert (again.starts == first.starts).all()
    assert len(list((directory / "cache").iterdir())) == 1  # nothing unfinished is left behind


def test_another_tokenizer_or_file_is_another_stream(directory, byte_bpe, wordpiece):
    first = load_stream(source("a"), corpora(directory, byte_bpe), "train")
    assert len(load_stream(source("a"), corpora(directory, wordpiece), "train").ids) != len(
        first.ids
    )
    pack(directory / "a.txt.xz", "\n\n".join(f"The cat saw {n} dogs." for n in range(900)))
    assert (
        load_stream(source("a"), corpora(directory, byte_bpe), "train").n_documents
        > first.n_documents
    )


def test_another_text_of_the_same_size_is_another_stream(directory, byte_bpe):
    first = load_stream(source("a"), corpora(directory, byte_bpe), "train")
    packed = directory / "a.txt.xz"
    size, n = packed.stat().st_size, 0
    text = "\n\n".join(f"The dog saw {n} cats." for n in range(500))
    while packed.stat().st_size != size or not n:  # of one letter changed somewhere
        n += 1
        pack(packed, text[:n] + "x" + text[n + 1 :])
    again = load_stream(source("a"), corpora(directory, byte_bpe), "train")
    assert [*again.ids] != [*first.ids]


def test_the_same_file_read_in_another_way_is_another_stream(tmp_path, byte_bpe):
    rows = [f"The cat saw a dog that was {n} years old.\tYes {n}." for n in range(900)]
    pack(tmp_path / "a.tsv.xz", "\n".join(["long\tshort", *rows]) + "\n")
    ways = [
        CorpusFile("a", "a.tsv.xz", "CC0", "nobody", column="long"),
        CorpusFile("a", "a.tsv.xz", "CC0", "nobody", column="short"),
        CorpusFile("a", "a.tsv.xz", "CC0", "nobody", column="short", prose=True),
    ]
    here = corpora(tmp_path, byte_bpe)
    found = []
    for way in ways:
        try:
            found.append(len(load_stream(way, here, "train").ids))
        except CorpusError:  # no line is long enough to be prose
            found.append(0)
    assert found[0] > found[1] > found[2] == 0


def test_a_source_that_is_not_there_or_holds_nothing_is_an_error(tmp_path, byte_bpe):
    with pytest.raises(CorpusError, match="no such file; name the corpora directory"):
        load_stream(source("none"), corpora(tmp_path, byte_bpe), "train")
    document = next(f"d{n}" for n in range(99) if not is_held_out(f"d{n}"))
    pack(tmp_path / "a.txt.xz", document)
    with pytest.raises(CorpusError, match="no document in the held_out split"):
        load_stream(source("a"), corpora(tmp_path, byte_bpe), "held_out")


def test_too_little_text_for_a_row_is_an_error(directory, byte_bpe):
    here = corpora(directory, byte_bpe)
    n = len(load_stream(source("a"), here, "held_out").ids)
    assert len(stream_for_rows(source("a"), here, "held_out", n - 1).ids) == n
    with pytest.raises(CorpusError, match="too little text in the held_out split to fill one row"):
        stream_for_rows(source("a"), here, "held_out", n)


def test_sentence_ends_are_read_off_the_vocabulary(byte_bpe):
    ends = sentence_ends(byte_bpe)
    for text, expected in ((".", True), ("?", True), ("\n", True), ("a", False), (",", False)):
        assert ends[byte_bpe.encode(text, special=False)[-1]] == expected
