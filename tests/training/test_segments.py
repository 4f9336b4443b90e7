"""Rows of one or two segments, cut where sentences begin."""

from __future__ import annotations

import numpy as np
import pytest

from core.text.hiding import IGNORED
from core.training.segments import Segments, segment_rows
from core.training.streams import TokenStream

CLS, SEP, END = 1, 2, 4
ENDS = np.arange(60_000) == END


def a_stream(n_documents: int, n_sentences: int = 12) -> TokenStream:
    """Sentences of different lengths; every id but sentence ends stands in one place only."""
    rng = np.random.default_rng(0)
    documents, at = [], 10
    for _ in range(n_documents):
        document = []
        for _ in range(n_sentences):
            n = int(rng.integers(2, 9))
            document += [*range(at, at + n), END]
            at += n
        documents.append(document)
    starts = np.cumsum([0, *map(len, documents)])
    return TokenStream(np.array([i for d in documents for i in d], np.uint16), starts)


def segments(stream: TokenStream, n_ctx: int = 32, **more) -> Segments:
    return segment_rows(stream, n_ctx, cls_id=CLS, sep_id=SEP, ends_sentence=ENDS, seed=0, **more)


def parts(rows: Segments, r: int) -> tuple[list[int], list[int]]:
    """The two segments of a row, without marks."""
    ids = rows.ids[r, : rows.lengths[r]].tolist()
    assert ids[0] == CLS
    assert ids[-1] == SEP
    if rows.second[r] == rows.lengths[r]:
        return ids[1:-1], []
    assert ids[rows.second[r] - 1] == SEP
    return ids[1 : rows.second[r] - 1], ids[rows.second[r] : -1]


@pytest.fixture(scope="module")
def stream() -> TokenStream:
    return a_stream(150)


def document_of(stream: TokenStream, ids: list[int]) -> int:
    """Which document some ids are a part of, side by side."""
    text = stream.ids.tolist()
    first = next(i for i in ids if i != END)
    at = text.index(first) - ids.index(first)
    assert text[at : at + len(ids)] == ids
    return int(np.searchsorted(stream.starts, at, side="right")) - 1


def test_every_row_is_one_or_two_segments_between_marks(stream):
    rows = segments(stream)
    assert (rows.ids.shape[1], len(rows.ids)) == (32, len(rows.lengths))
    assert rows.lengths.max() <= 32
    for r in range(len(rows.ids)):
        assert (rows.ids[r, rows.lengths[r] :] == 0).all()
        first, second = parts(rows, r)
        assert first
        assert bool(second) == (rows.follows[r] != IGNORED)


def test_neighbours_are_neighbours_and_strangers_come_from_elsewhere(stream):
    rows = segments(stream)
    text = stream.ids.tolist()
    n = {0: 0, 1: 0}
    for r in np.flatnonzero(rows.follows != IGNORED):
        first, second = parts(rows, r)
        if {*first} == {END} or {*second} == {END}:
            continue  # the end of a cut sentence: it stands everywhere
        n[int(rows.follows[r])] += 1
        home = document_of(stream, first)
        if rows.follows[r] == 0:
            assert document_of(stream, first + second) == home
        else:
            assert document_of(stream, second) != home
        assert first[-1] == END  # the first segment ends where a sentence ends
        assert text[text.index(second[0]) - 1] == END or second[0] in stream.ids[stream.starts[:-1]]
    assert n[0] / (n[0] + n[1]) == pytest.approx(0.5, abs=0.06)


def test_a_quarter_of_the_rows_is_one_segment(stream):
    rows = segments(stream, p_short=0.0)
    assert (rows.follows == IGNORED).mean() == pytest.approx(0.25, abs=0.08)
    only_pairs = segments(stream, p_single=0.0, p_short=0.0)
    assert (only_pairs.follows == IGNORED).mean() < 0.15  # where one sentence fills the row


def test_rows_are_full_but_for_short_ones_and_ends_of_documents(stream):
    rows = segments(stream, p_short=0.0)
    assert np.median(rows.lengths) >= 30
    assert segments(stream, p_short=0.5).lengths.mean() < rows.lengths.mean() - 4


def test_no_token_is_left_out(stream):
    """But a document's last ones, when fewer than four are left."""
    rows = segments(stream)
    used = {i for r in range(len(rows.ids)) for part in parts(rows, r) for i in part}
    for n in range(stream.n_documents):
        document = set(stream.document(n).tolist()) - {END}
        assert len(document - used) < 4


def test_the_seed_decides(stream):
    one, two = segments(stream), segments(stream)
    assert (one.ids == two.ids).all()
    other = segment_rows(stream, 32, cls_id=CLS, sep_id=SEP, ends_sentence=ENDS, seed=1)
    assert other.ids.shape != one.ids.shape or (other.ids != one.ids).any()


@pytest.mark.parametrize("n_documents", [0, 1, 2])
def test_few_documents_make_rows_too(n_documents):
    rows = segments(a_stream(n_documents) if n_documents else TokenStream(
        np.zeros(0, np.uint16), np.zeros(1, np.int64)))  # fmt: skip
    assert (len(rows.ids) > 0) == (n_documents > 0)
    if n_documents == 1:
        assert not (rows.follows == 1).any()  # there is no elsewhere
