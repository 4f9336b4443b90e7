"""From files to rows: nothing lost, nothing padded, and every place has its row."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import CorpusError, ParameterError
from core.training import data
from core.training.data import (
    Mixture,
    Source,
    TokenStream,
    clean,
    documents_of,
    encode_documents,
    is_held_out,
    load_stream,
    pack_rows,
    read_documents,
    read_sentences,
    repeat_rows,
    sentence_ends,
    tokenizer_sample,
)
from tests.training.corpora import pack

# --- files -------------------------------------------------------------------------


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


READERS = [read_documents, lambda path: read_sentences(path, "en")]


@pytest.mark.parametrize("read", READERS, ids=["documents", "sentences"])
def test_a_missing_file_says_where_it_was_looked_for(read, tmp_path):
    with pytest.raises(CorpusError, match="no such file; name the corpora directory") as caught:
        list(read(tmp_path / "none.xz"))
    assert caught.value.where == str(tmp_path / "none.xz")


@pytest.mark.parametrize("damage", ["no xz", "truncated", "no text"])
@pytest.mark.parametrize("read", READERS, ids=["documents", "sentences"])
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
     ("id\ten\n1\n", "a line without the column 'en'")],
)  # fmt: skip
def test_a_table_without_the_column_is_an_error(text, problem, tmp_path):
    pack(tmp_path / "a.tsv.xz", text)
    with pytest.raises(CorpusError, match=problem):
        list(read_sentences(tmp_path / "a.tsv.xz", "en"))


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


def source(name: str, weight: float = 1.0, **more) -> Source:
    return Source(name, f"{name}.txt.xz", weight, "CC0", "nobody", **more)


def test_documents_that_cleaning_empties_are_left_out(tmp_path):
    pack(tmp_path / "a.txt.xz", "Heading\n\n" + "A long enough paragraph, which ends as it should.")
    assert len(list(documents_of(source("a", prose=True), tmp_path))) == 1
    assert len(list(documents_of(source("a"), tmp_path))) == 2


def test_the_tokenizers_sample_follows_the_weights_and_leaves_held_out_text_alone(tmp_path):
    for name in "ab":
        pack(tmp_path / f"{name}.txt.xz", "\n\n".join(f"{name} {n:06d} " + "x" * 91
                                                       for n in range(3000)))  # fmt: skip
    found = list(tokenizer_sample([source("a", 3), source("b", 1)], tmp_path, n_bytes=200_000))
    assert not any(map(is_held_out, found))
    by_source = Counter(document[0] for document in found)
    assert by_source["a"] == pytest.approx(1500, abs=5)
    assert by_source["b"] == pytest.approx(500, abs=5)


# --- token streams -----------------------------------------------------------------


def test_streams_hold_the_documents_without_marks(byte_bpe):
    documents = [f"The dog sat {n} times." for n in range(1100)]  # more than two batches
    stream = encode_documents(documents, byte_bpe)
    assert stream.n_documents == 1100
    for n in (0, 511, 512, 1099):
        assert byte_bpe.decode(stream.document(n)) == documents[n]
    assert byte_bpe.end_of_text_id not in stream.ids
    assert encode_documents([], byte_bpe).n_documents == 0


@pytest.fixture
def a_source(tmp_path) -> tuple[Source, Path, Path]:
    pack(tmp_path / "a.txt.xz", "\n\n".join(f"The dog saw {n} cats." for n in range(500)))
    return source("a"), tmp_path, tmp_path / "cache"


def test_splits_share_no_document_and_lose_none(a_source, byte_bpe):
    one, corpora, cache = a_source
    streams = [load_stream(one, corpora, byte_bpe, split, cache) for split in ("train", "held_out")]
    texts = [{byte_bpe.decode(s.document(n)) for n in range(s.n_documents)} for s in streams]
    assert not texts[0] & texts[1]
    assert len(texts[0] | texts[1]) == 500
    assert all(map(is_held_out, texts[1]))


def test_a_stream_is_encoded_once(a_source, byte_bpe, monkeypatch):
    one, corpora, cache = a_source
    first = load_stream(one, corpora, byte_bpe, "train", cache)
    monkeypatch.setattr(data, "encode_documents", lambda *_: pytest.fail("encoded again"))
    again = load_stream(one, corpora, byte_bpe, "train", cache)
    assert (again.ids == first.ids).all()
    assert (again.starts == first.starts).all()
    assert len(list(cache.iterdir())) == 1  # nothing unfinished is left behind


def test_another_tokenizer_or_file_is_another_stream(a_source, byte_bpe, wordpiece):
    one, corpora, cache = a_source
    first = load_stream(one, corpora, byte_bpe, "train", cache)
    assert len(load_stream(one, corpora, wordpiece, "train", cache).ids) != len(first.ids)
    pack(corpora / "a.txt.xz", "\n\n".join(f"The cat saw {n} dogs." for n in range(900)))
    assert load_stream(one, corpora, byte_bpe, "train", cache).n_documents > first.n_documents


def test_a_source_that_is_not_there_or_holds_nothing_is_an_error(tmp_path, byte_bpe):
    with pytest.raises(CorpusError, match="no such file; name the corpora directory"):
        load_stream(source("none"), tmp_path, byte_bpe, "train", tmp_path / "cache")
    document = next(f"d{n}" for n in range(99) if not is_held_out(f"d{n}"))
    pack(tmp_path / "a.txt.xz", document)
    with pytest.raises(CorpusError, match="no document in the held_out split"):
        load_stream(source("a"), tmp_path, byte_bpe, "held_out", tmp_path / "cache")


def test_sentence_ends_are_read_off_the_vocabulary(byte_bpe):
    ends = sentence_ends(byte_bpe)
    for text, expected in ((".", True), ("?", True), ("\n", True), ("a", False), (",", False)):
        assert ends[byte_bpe.encode(text, special=False)[-1]] == expected


# --- rows --------------------------------------------------------------------------

MARK = 0
END = 1  # every sentence ends with it


@st.composite
def streams(draw) -> TokenStream:
    """Documents of sentences; all ids but sentence ends are different, so each can be found."""
    documents, at = [], 2
    for sentences in draw(st.lists(st.lists(st.integers(1, 25), max_size=6), max_size=12)):
        document = []
        for n in sentences:
            document += [*range(at, at + n), END]
            at += n
        documents.append(document)
    starts = np.cumsum([0, *map(len, documents)])
    return TokenStream(np.array([i for d in documents for i in d], np.uint16), starts)


def marked(stream: TokenStream) -> list[int]:
    """The stream with a mark before every document."""
    return [i for n in range(stream.n_documents) for i in (MARK, *stream.document(n).tolist())]


ENDS = np.zeros(70_000, bool)
ENDS[END] = True


def rows_by_hand(ids: list[int], n_ctx: int) -> list[list[int]]:
    """The same rule, one token at a time."""
    rows, at = [], 0
    while at < len(ids):
        first = at + 1 if ids[at] == MARK else at
        if first + n_ctx > len(ids):
            break
        rows.append([MARK, *ids[first : first + n_ctx]])
        at = first + n_ctx
        for _ in range(n_ctx // 4):  # look for a sentence or document that begins soon
            if at >= len(ids) or ids[at] == MARK or ids[at - 1] == END:
                break
            at += 1
    return rows


@given(stream=streams(), n_ctx=st.integers(2, 40))
def test_rows_start_at_a_document_or_sentence_and_nothing_is_padded(stream, n_ctx):
    rows = pack_rows(stream, n_ctx, MARK, ENDS)
    assert rows.shape[1] == n_ctx + 1
    assert rows.tolist() == rows_by_hand(marked(stream), n_ctx)


@given(stream=streams(), n_ctx=st.integers(4, 40))
def test_only_ends_of_cut_sentences_and_the_last_part_are_dropped(stream, n_ctx):
    rows = pack_rows(stream, n_ctx, MARK, ENDS)
    known = [i for i in marked(stream) if i not in (MARK, END)]
    used = [i for row in rows.tolist() for i in row if i not in (MARK, END)]
    assert used == sorted(used)  # in the order of the text, none twice
    assert len(set(used)) == len(used)
    dropped = [i for i in known if i < max(used, default=0) and i not in set(used)]
    assert len(dropped) <= len(rows) * (n_ctx // 4)
    rest = [i for i in known if i > max(used, default=0)]
    assert len(rest) <= n_ctx + n_ctx // 4


def test_a_text_shorter_than_a_row_makes_none():
    stream = TokenStream(np.array([2, 3, END], np.uint16), np.array([0, 3]))
    assert pack_rows(stream, 8, MARK, ENDS).shape == (0, 9)
    assert pack_rows(stream, 3, MARK, ENDS).tolist() == [[MARK, 2, 3, END]]


def test_documents_share_a_row_with_a_mark_between_them():
    stream = TokenStream(np.array([2, END, 3, END, 4, 5, END], np.uint16), np.array([0, 2, 4, 7]))
    # The second row begins at the third document; its own mark is the row's.
    assert pack_rows(stream, 4, MARK, ENDS).tolist() == [[MARK, 2, END, MARK, 3]]
    assert pack_rows(stream, 3, MARK, ENDS).tolist() == [
        [MARK, 2, END, MARK], [MARK, 3, END, MARK], [MARK, 4, 5, END]
    ]  # fmt: skip


@given(stream=streams(), n_ctx=st.integers(4, 40))
def test_whole_rows_never_begin_inside_a_short_document(stream, n_ctx):
    text = marked(stream)
    rows = pack_rows(stream, n_ctx, MARK, ENDS, whole=1).tolist()
    bounds = zip(stream.starts[:-1].tolist(), stream.starts[1:].tolist(), strict=True)
    short = [stream.ids[a:b].tolist() for a, b in bounds if 0 < b - a <= n_ctx]
    inside = {i for document in short for i in document[1:] if i != END}
    assert all(row[1] not in inside for row in rows)
    # Every short document but those of the last part stands whole in some row.
    end = text.index(rows[-1][-1]) if rows and rows[-1][-1] not in (MARK, END) else 0
    for document in short:
        if document[0] != END and text.index(document[0]) + len(document) <= end:
            assert any(contains(row, document) for row in rows)


def contains(row: list[int], part: list[int]) -> bool:
    return any(row[at : at + len(part)] == part for at in range(len(row)))


def test_a_cut_document_is_read_again_from_its_start_if_it_fits():
    """Three documents of 2, 3 and 5 tokens in rows of 4: the last is too long and goes on."""
    ids = np.array([2, END, 3, 4, END, 5, 6, 7, 8, END], np.uint16)
    stream = TokenStream(ids, np.array([0, 2, 5, 10]))
    assert pack_rows(stream, 4, MARK, ENDS, whole=1).tolist() == [
        [MARK, 2, END, MARK, 3],
        [MARK, 3, 4, END, MARK],
        [MARK, 6, 7, 8, END],
    ]


def test_a_share_of_the_cut_documents_is_read_again_from_its_start():
    """Six documents of two tokens: every row of 4 ends after the first token of one."""
    ids = np.array([2, END, 3, END, 4, END, 5, END, 6, END, 7, END], np.uint16)
    stream = TokenStream(ids, np.arange(0, 13, 2))
    begins = [row[1] for row in pack_rows(stream, 4, MARK, ENDS, whole=0.5).tolist()]
    all_again = [row[1] for row in pack_rows(stream, 4, MARK, ENDS, whole=1).tolist()]
    assert all_again == [2, 3, 4, 5, 6]
    assert begins == [2, 4, 5]  # after 3 was cut it goes on, after 5 was cut it starts again


def test_repeat_rows_say_every_passage_twice_in_a_row():
    rows = np.arange(5 * 33, dtype=np.uint16).reshape(5, 33)
    rows[:, 0] = MARK
    made = repeat_rows(rows, 40, fragment=8, rng=np.random.default_rng(0))
    assert made.shape == (40, 33)
    assert (made[:, 0] == MARK).all()
    passages = {tuple(row[at : at + 8]) for row in rows.tolist() for at in range(1, 26)}
    for row in made.tolist():
        for start in (1, 17):
            passage = row[start : start + 8]
            assert row[start + 8 : start + 16] == passage
            assert tuple(passage) in passages
    last = repeat_rows(rows, 3, fragment=7, rng=np.random.default_rng(0))
    assert last.shape == (3, 33)  # cut where the row ends


# --- the mixture ---------------------------------------------------------------------


@given(
    start=st.integers(0, 9000),
    n=st.integers(1, 300),
    cut=st.integers(0, 300),
    seed=st.integers(0, 5),
)
def test_a_place_has_its_row_whatever_was_asked_before(start, n, cut, seed):
    def fresh() -> Mixture:
        return Mixture([3, 1, 0.5], [50, 700, 3], seed)

    cut = min(cut, n)
    whole = fresh().place(start, n)
    assert len(whole) == n
    in_parts = fresh()
    later = in_parts.place(start + cut, n - cut)
    assert in_parts.place(start, cut) + later == whole  # backwards, in two parts
    one_by_one = fresh()
    assert [one_by_one.place(start + i, 1)[0] for i in range(min(n, 20))] == whole[:20]


def test_every_source_is_read_through_before_it_is_read_again():
    places = Mixture([1, 1], [40, 1000], seed=0).place(0, 400)
    small = [row for source, row in places if source == 0]
    for epoch in range(len(small) // 40):
        assert sorted(small[40 * epoch : 40 * epoch + 40]) == list(range(40))
    assert small[:40] != small[40:80]  # in a new order
    large = [row for source, row in places if source == 1]
    assert len(set(large)) == len(large)


def test_sources_come_by_weight():
    places = Mixture([6, 3, 1], [10, 10, 10], seed=1).place(0, 8000)
    shares = np.bincount([source for source, _ in places]) / 8000
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


def test_a_late_mix_begins_at_its_place_and_leaves_what_came_before():
    plain, turned = (
        Mixture([6, 3, 1], [999, 999, 999], 1, late) for late in ((), [(4096, [1, 3, 6])])
    )
    assert turned.place(0, 4096) == plain.place(0, 4096)
    after = turned.place(4096, 8000)
    shares = np.bincount([source for source, _ in after]) / 8000
    assert shares == pytest.approx([0.1, 0.3, 0.6], abs=0.02)
    # Rows go on where the first mix left them: none is read again before its epoch is over.
    rows = [row for source, row in turned.place(0, 4600) if source == 2][:999]
    assert len(set(rows)) == len(rows)


def test_a_late_mix_begins_with_a_block_of_places():
    with pytest.raises(ParameterError, match="late is 100; it must be a multiple of 4096 rows"):
        Mixture([1], [10], 0, [(100, [1])])


def test_the_seed_decides_the_order():
    def order(seed: int) -> list[tuple[int, int]]:
        return Mixture([1, 1], [30, 30], seed).place(0, 50)

    assert order(1) == order(1)
    assert order(1) != order(2)
