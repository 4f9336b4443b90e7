"""Corpus files: documents, sentences and pairs, and what is left out of them."""

from __future__ import annotations

import lzma
from collections import Counter

import pytest

from core.errors import CorpusError
from core.training.sources import (
    CorpusFile,
    clean,
    documents_of,
    is_held_out,
    read_documents,
    read_pairs,
    read_sentences,
    tokenizer_sample,
)
from tests.training.corpora import pack, write


def test_documents_are_separated_by_blank_lines(tmp_path):
    pack(tmp_path / "a.txt.xz", "\n\none\n  two  \n\n \n\nthree é\n")
    assert list(read_documents(tmp_path / "a.txt.xz")) == ["one\ntwo", "three é"]


def test_sentences_come_once_each_and_in_an_order_of_their_own(tmp_path):
    rows = [f"{n}\tSentence {n % 60}.\tPhrase." for n in range(100)]
    pack(tmp_path / "a.tsv.xz", "\n".join(["id\ten\tfr", *rows]))
    documents = list(read_sentences(tmp_path / "a.tsv.xz", "en"))
    sentences = "\n".join(documents).split("\n")
    assert sorted(sentences) == sorted({f"Sentence {n}." for n in range(60)})
    assert [len(d.split("\n")) for d in documents] == [24, 24, 12]
    pack(tmp_path / "b.tsv.xz", "\n".join(["id\ten\tfr", *reversed(rows)]))
    assert list(read_sentences(tmp_path / "b.tsv.xz", "en")) == documents


READERS = [
    read_documents,
    lambda path: read_sentences(path, "en"),
    lambda path: read_pairs(path, "id", "en"),
]


@pytest.mark.parametrize("read", READERS, ids=["documents", "sentences", "pairs"])
def test_a_missing_file_says_where_it_was_looked_for(read, tmp_path):
    with pytest.raises(CorpusError, match="no such file; name the corpora directory") as caught:
        list(read(tmp_path / "none.xz"))
    assert caught.value.where == str(tmp_path / "none.xz")


@pytest.mark.parametrize("damage", ["no xz", "truncated", "no text"])
@pytest.mark.parametrize("read", READERS, ids=["documents", "sentences", "pairs"])
def test_a_damaged_file_is_an_error(read, damage, tmp_path):
    path = tmp_path / "a.xz"
    packed = lzma.compress(b"id\ten\n" + b"1\tA sentence.\n" * 5000)
    path.write_bytes(
        {
            "no xz": b"plain text",
            "truncated": packed[:-30],
            "no text": lzma.compress(b"\xff\xfe\n"),
        }[damage]
    )
    with pytest.raises(CorpusError, match="not readable text packed with xz"):
        list(read(path))


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "no column 'en' among"), ("id\tfr\n1\tx\n", "no column 'en' among id, fr"),
     ("id\ten\n1\n", "a line with 1 columns of 2")],
)  # fmt: skip
def test_a_table_without_the_column_is_an_error(text, problem, tmp_path):
    pack(tmp_path / "a.tsv.xz", text)
    with pytest.raises(CorpusError, match=problem):
        list(read_sentences(tmp_path / "a.tsv.xz", "en"))


def test_pairs_are_two_columns_in_the_order_that_is_asked_for(tmp_path):
    pack(tmp_path / "a.tsv.xz", "id\ten\tfr\n1\tGo.\tVa !\n2\tHi.\tSalut !\n")
    assert list(read_pairs(tmp_path / "a.tsv.xz", "fr", "en")) == [
        ("Va !", "Go."), ("Salut !", "Hi.")
    ]  # fmt: skip


def test_prose_keeps_paragraphs_that_end_like_sentences():
    good = "This is a paragraph that is long enough and ends like a sentence does."
    quoted = "“Is this a paragraph that ends with a question?” she asked (and he said “yes.”)"
    document = "\n".join(["Heading", good, "See also the list of other things that are listed here",
                          "Too short.", quoted])  # fmt: skip
    assert clean(document, prose=True).split("\n")[0] == good
    assert "Heading" not in clean(document, prose=True)
    assert clean(document, prose=False) == document


def test_one_document_in_a_hundred_is_held_out_and_always_the_same():
    documents = [f"document {n}" for n in range(20_000)]
    share = sum(map(is_held_out, documents)) / len(documents)
    assert share == pytest.approx(0.01, abs=0.003)
    assert is_held_out(documents[0]) == is_held_out(documents[0])


def source(name: str, **more) -> CorpusFile:
    return CorpusFile(name, f"{name}.txt.xz", "CC0", "nobody", **more)


def test_documents_that_cleaning_empties_are_left_out(tmp_path):
    pack(tmp_path / "a.txt.xz", "Heading\n\n" + "A long enough paragraph, which ends as it should.")
    assert len(list(documents_of(source("a", prose=True), tmp_path))) == 1
    assert len(list(documents_of(source("a"), tmp_path))) == 2


def test_the_tokenizers_sample_follows_the_shares_and_leaves_held_out_text_alone(tmp_path):
    for name in "ab":
        pack(tmp_path / f"{name}.txt.xz", "\n\n".join(f"{name} {n:06d} " + "x" * 91
                                                       for n in range(3000)))  # fmt: skip
    found = list(tokenizer_sample([source("a"), source("b")], {"a": 3, "b": 1}, tmp_path, 200_000))
    assert not any(map(is_held_out, found))
    by_source = Counter(document[0] for document in found)
    assert by_source["a"] == pytest.approx(1500, abs=5)
    assert by_source["b"] == pytest.approx(500, abs=5)


def test_corpora_are_made_up_where_no_folder_is_yet(tmp_path):
    assert (write(tmp_path / "runs" / "made-up") / "text_tinystories.txt.xz").is_file()
