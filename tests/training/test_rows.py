"""Rows of text: they begin where something begins, and nothing is padded."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.training.rows import pack_rows, repeat_rows
from core.training.streams import TokenStream

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
