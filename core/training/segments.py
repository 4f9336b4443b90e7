"""Rows of one or two segments, cut where sentences begin: what BERT reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.text.hiding import IGNORED
from core.training.streams import Ids, TokenStream


class Segment(NamedTuple):
    """A row of ``Segments``, see there.

    Attributes:
        ids: ``(T,)``.
    """

    ids: Ids
    length: int
    second: int
    follows: int


@dataclass(frozen=True)
class Segments:
    """Rows for BERT before any word is hidden.

    Attributes:
        ids: ``(R, T)``, padded at the end with 0.
        lengths: real tokens of each row.
        second: where the second segment starts; the length when there is none.
        follows: 0 = the second follows the first, 1 = it does not, ``IGNORED`` = one segment.
    """

    ids: Ids
    lengths: NDArray[np.int64]
    second: NDArray[np.int64]
    follows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> Segment:
        numbers = (self.lengths[row], self.second[row], self.follows[row])
        return Segment(self.ids[row], *map(int, numbers))


def segment_rows(
    stream: TokenStream,
    n_ctx: int,
    *,
    cls_id: int,
    sep_id: int,
    ends_sentence: NDArray[np.bool_],
    seed: int,
    p_single: float = 0.25,
    p_short: float = 0.1,
) -> Segments:
    """Cut documents into rows of one or two segments that begin where a sentence begins.

    Devlin et al. 2019, appendix A.2: half of the pairs are neighbours in a
    document, half have a second segment from another document; one row in ten
    is short. Beyond the paper a quarter of the rows is one segment alone, as
    single sentences are what learners type.
    """
    rng = np.random.default_rng((seed, 3))
    cutter = _Cutter(stream, n_ctx - 3, ends_sentence, rng, p_single, p_short)
    kind = stream.ids.dtype
    cls, sep = np.array([cls_id], kind), np.array([sep_id], kind)
    rows: list[Ids] = []
    lengths: list[int] = []
    seconds: list[int] = []
    labels: list[int] = []
    for n in range(stream.n_documents):
        for first, second, label in cutter.cut(n):
            parts = [cls, first, sep] if second is None else [cls, first, sep, second, sep]
            row = np.concatenate(parts)
            rows.append(np.pad(row, (0, n_ctx - len(row))))
            lengths.append(len(row))
            seconds.append(len(row) if second is None else len(first) + 2)
            labels.append(label)
    ids = np.stack(rows) if rows else np.zeros((0, n_ctx), kind)
    return Segments(ids, np.array(lengths), np.array(seconds), np.array(labels))


class _Cutter:
    """Cuts documents into (first segment, second or None, label).

    Args:
        stream: the documents.
        room: tokens of both segments together.
        ends_sentence: for each id, whether a sentence ends with it.
        rng: of all draws.
        p_single: share of rows with one segment.
        p_short: share of short rows.
    """

    def __init__(
        self,
        stream: TokenStream,
        room: int,
        ends_sentence: NDArray[np.bool_],
        rng: np.random.Generator,
        p_single: float,
        p_short: float,
    ) -> None:
        self._stream, self._room, self._ends = stream, room, ends_sentence
        self._rng, self._p_single, self._p_short = rng, p_single, p_short

    def cut(self, n: int) -> Iterator[tuple[Ids, Ids | None, int]]:
        """The rows of a document."""
        document, rng = self._stream.document(n), self._rng
        cuts = np.flatnonzero(self._ends[document]) + 1  # where sentences end
        if not len(cuts) or cuts[-1] < len(document):
            cuts = np.append(cuts, len(document))
        position = 0
        while position < len(document):
            short = rng.random() < self._p_short
            end = min(
                len(document),
                position + (int(rng.integers(5, self._room + 1)) if short else self._room),
            )
            inside = cuts[(cuts > position) & (cuts < end)]
            if end - position < 4:
                return
            if rng.random() < self._p_single or not len(inside):
                yield document[position:end], None, IGNORED
                position = int(inside[-1]) if len(inside) and end < len(document) else end
                continue
            split = int(rng.choice(inside))
            first = document[position:split]
            if rng.random() < 0.5 or self._stream.n_documents == 1:
                yield first, document[split:end], 0
                later = cuts[(cuts > split) & (cuts <= end)]
                position = int(later[-1]) if len(later) else end
            else:
                yield first, self._elsewhere(n, end - split), 1
                position = split  # what would have followed starts the next row

    def _elsewhere(self, number: int, length: int) -> Ids:
        """Up to ``length`` tokens from a sentence start of another document."""
        other = int(self._rng.integers(self._stream.n_documents - 1))
        document = self._stream.document(other + (other >= number))
        starts = np.append(0, np.flatnonzero(self._ends[document][:-1]) + 1)
        room = starts[starts <= max(0, len(document) - length)]
        start = int(self._rng.choice(room))
        return document[start : start + length]
