"""Rows of next-token text: packed documents, and passages that come twice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.training.streams import Ids, TokenStream


def pack_rows(stream: TokenStream, n_ctx: int, mark: int, ends_sentence: NDArray[np.bool_]) -> Ids:
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

    Returns:
        ``(R, n_ctx + 1)``.
    """
    n = len(stream.ids) + stream.n_documents
    marked = np.empty(n, stream.ids.dtype)
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
    position = 0
    while position < n:
        first = (
            position + 1 if marked[position] == mark else position
        )  # the row's own mark stands for the document's
        end = first + n_ctx
        if end > n:
            break
        rows.append(np.concatenate((np.array([mark], marked.dtype), marked[first:end])))
        position = n if end == n else min(int(next_start[end]), end + n_ctx // 4)
    return np.stack(rows) if rows else np.zeros((0, n_ctx + 1), marked.dtype)


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
    repeated = np.empty((n_rows, 2 * fragment * per_row + 1), rows.dtype)
    repeated[:, 0] = rows[0, 0]
    for r in range(n_rows):
        for p in range(per_row):
            piece = rows[picks[r, p], offsets[r, p] : offsets[r, p] + fragment]
            start = 1 + 2 * fragment * p
            repeated[r, start : start + fragment] = piece
            repeated[r, start + fragment : start + 2 * fragment] = piece
    return repeated[:, : width + 1]
