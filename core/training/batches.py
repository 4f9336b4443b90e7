"""Rows for each model: built once from the token streams, drawn by place during the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.errors import CorpusError
from core.language import N_, Phrase
from core.models.bert import BERTConfig
from core.models.gpt import GPTConfig
from core.text.tokenizer import CLS, SEP, Tokenizer
from core.training.data import (
    Ids,
    Mixture,
    Source,
    TokenStream,
    load_stream,
    pack_rows,
    repeat_rows,
    sentence_ends,
)
from core.training.objectives import IGNORED, PairBatch, Vocabulary, mask_words
from core.training.recipes import Recipe

Split = Literal["train", "held_out"]


class Batches(Protocol):
    """Where a run's rows come from; a place's row depends on nothing but the seed."""

    names: tuple[str, ...]

    def batch(self, start: int, n: int) -> tuple[Tensor, ...]:
        """The rows of places ``start`` to ``start + n``, as the objective's arguments."""
        ...

    def origins(self, start: int, n: int) -> list[str]:
        """The name of the source of each of these rows."""
        ...

    def of_source(self, name: str, n: int) -> tuple[Tensor, ...]:
        """The first ``n`` rows of one source, the same ones every time."""
        ...


class TokenRows:
    """Rows for next-token prediction: one tensor ``(B, n_ctx + 1)``.

    Args:
        rows: of each source, ``(R, n_ctx + 1)``.
        weights: of each source.
        seed: of all draws.
        late: other weights from a place on.
        first: sources whose rows come first in every batch, in this order.
    """

    def __init__(
        self,
        rows: dict[str, Ids],
        weights: Sequence[float],
        seed: int,
        late: Sequence[tuple[int, Sequence[float]]] = (),
        first: Sequence[str] = (),
    ) -> None:
        self.names = tuple(rows)
        self._rows = list(rows.values())
        self._turn = [first.index(n) if n in first else len(first) for n in self.names]
        self._mixture = Mixture(weights, [len(r) for r in self._rows], seed, late)

    def _places(self, start: int, n: int) -> list[tuple[int, int]]:
        return sorted(self._mixture.place(start, n), key=lambda place: self._turn[place[0]])

    def batch(self, start: int, n: int) -> tuple[Tensor, ...]:
        picked = [self._rows[s][r] for s, r in self._places(start, n)]
        return (torch.from_numpy(np.stack(picked).astype(np.int64)),)

    def origins(self, start: int, n: int) -> list[str]:
        return [self.names[s] for s, _ in self._places(start, n)]

    def of_source(self, name: str, n: int) -> tuple[Tensor, ...]:
        rows = self._rows[self.names.index(name)]
        return (torch.from_numpy(rows[:n].astype(np.int64)),)


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
    room = n_ctx - 3
    ids = np.zeros((2 * len(stream.ids) // room + stream.n_documents, n_ctx), np.uint16)
    lengths: list[int] = []
    seconds: list[int] = []
    labels: list[int] = []
    mark = np.array([cls_id], np.uint16), np.array([sep_id], np.uint16)

    def put(first: Ids, second: Ids | None, label: int) -> None:
        row = np.concatenate(
            [mark[0], first, mark[1]] + ([] if second is None else [second, mark[1]])
        )
        if len(lengths) < len(ids):
            ids[len(lengths), : len(row)] = row
            lengths.append(len(row))
            seconds.append(len(row) if second is None else len(first) + 2)
            labels.append(label)

    for n in range(stream.n_documents):
        document = stream.document(n)
        cuts = np.flatnonzero(ends_sentence[document]) + 1  # where sentences end
        if not len(cuts) or cuts[-1] < len(document):
            cuts = np.append(cuts, len(document))
        at = 0
        while at < len(document):
            target = int(rng.integers(5, room + 1)) if rng.random() < p_short else room
            end = min(len(document), at + target)
            inside = cuts[(cuts > at) & (cuts < end)]
            if end - at < 4:
                break
            if rng.random() < p_single or not len(inside):
                put(document[at:end], None, IGNORED)
                at = int(inside[-1]) if len(inside) and end < len(document) else end
                continue
            split = int(rng.choice(inside))
            first = document[at:split]
            if rng.random() < 0.5 or stream.n_documents == 1:
                put(first, document[split:end], 0)
                later = cuts[(cuts > split) & (cuts <= end)]
                at = int(later[-1]) if len(later) else end
            else:
                put(first, _elsewhere(stream, n, end - split, ends_sentence, rng), 1)
                at = split  # what would have followed starts the next row
    used = len(lengths)
    return Segments(ids[:used], np.array(lengths), np.array(seconds), np.array(labels))


def _elsewhere(
    stream: TokenStream,
    here: int,
    length: int,
    ends_sentence: NDArray[np.bool_],
    rng: np.random.Generator,
) -> Ids:
    """Up to ``length`` tokens from a sentence start of another document."""
    other = int(rng.integers(stream.n_documents - 1))
    document = stream.document(other + (other >= here))
    starts = np.append(0, np.flatnonzero(ends_sentence[document][:-1]) + 1)
    room = starts[starts <= max(0, len(document) - length)]
    start = int(rng.choice(room))
    return document[start : start + length]


def vocabulary_of(tokenizer: Tokenizer) -> Vocabulary:
    """What masking needs to know of a WordPiece tokenizer."""
    tokens = [tokenizer.token(i) for i in range(tokenizer.largest_id + 1)]
    return Vocabulary(
        mask_id=tokenizer.mask_id or 0,
        continues=np.array([t.continues for t in tokens]),
        special=np.array([t.special or t.unknown for t in tokens]),
    )


class SegmentRows:
    """Rows for masked words and next sentences: the fields of ``PairBatch``."""

    def __init__(
        self,
        rows: dict[str, Segments],
        weights: Sequence[float],
        vocabulary: Vocabulary,
        seed: int,
        mask_rate: float,
        late: Sequence[tuple[int, Sequence[float]]] = (),
    ) -> None:
        self.names = tuple(rows)
        self._rows = list(rows.values())
        self._vocabulary = vocabulary
        self._mask_rate = mask_rate
        self._seed = seed
        self._mixture = Mixture(weights, [len(r.ids) for r in self._rows], seed, late)

    def batch(self, start: int, n: int) -> tuple[Tensor, ...]:
        places = self._mixture.place(start, n)
        return self._hide([(self._rows[s], r, start + k) for k, (s, r) in enumerate(places)])

    def origins(self, start: int, n: int) -> list[str]:
        return [self.names[s] for s, _ in self._mixture.place(start, n)]

    def of_source(self, name: str, n: int) -> tuple[Tensor, ...]:
        rows = self._rows[self.names.index(name)]
        return self._hide([(rows, r, r) for r in range(min(n, len(rows.ids)))])

    def _hide(self, picked: Sequence[tuple[Segments, int, int]]) -> PairBatch:
        n_ctx = picked[0][0].ids.shape[1]
        slots = round(self._mask_rate * n_ctx) + 1
        ids = np.zeros((len(picked), n_ctx), np.int64)
        types = np.zeros_like(ids)
        mask = np.zeros((len(picked), 1, 1, n_ctx), bool)
        positions = np.zeros((len(picked), slots), np.int64)
        targets = np.full((len(picked), slots), IGNORED, np.int64)
        follows = np.zeros(len(picked), np.int64)
        for b, (rows, r, place) in enumerate(picked):
            length = int(rows.lengths[r])
            rng = np.random.default_rng((self._seed, 4, place))
            example = mask_words(
                rows.ids[r, :length].astype(np.int64), self._vocabulary, rng, rate=self._mask_rate
            )
            ids[b, :length] = example.ids
            types[b, rows.second[r] : length] = 1
            mask[b, ..., :length] = True
            chosen = np.flatnonzero(example.targets != IGNORED)[:slots]
            positions[b, : len(chosen)] = chosen
            targets[b, : len(chosen)] = example.targets[chosen]
            follows[b] = rows.follows[r]
        return PairBatch(
            *(torch.from_numpy(a) for a in (ids, types, mask, positions, targets, follows))
        )


def make_batches(
    recipe: Recipe,
    corpora: Path,
    tokenizer: Tokenizer,
    split: Split,
    cache: Path,
    seed: int,
    written: Ids | None = None,
) -> Batches:
    """The rows of a recipe's mix.

    Args:
        recipe: whose sources and shares are taken.
        corpora: where the sources' files lie.
        tokenizer: of the model.
        split: what is trained on, or what is held out.
        cache: where tokens are kept between runs.
        seed: of all draws.
        written: rows that a taught recipe's teachers wrote, ``(R, n_ctx + 1)``; held out are none.

    Raises:
        CorpusError: a corpus file is missing or has too little text.
    """

    def stream(source: Source) -> TokenStream:
        found = load_stream(source, corpora, tokenizer, split, cache)
        if len(found.ids) <= recipe.config.n_ctx:
            raise CorpusError(
                corpora / source.file,
                Phrase(N_("too little text in the {split} split to fill one row"), split=split),
            )
        return found

    ends = sentence_ends(tokenizer)
    weights = [source.weight for source in recipe.sources]
    late = [(mix.first_row, list(mix.weights)) for mix in recipe.late]
    if isinstance(recipe.config, BERTConfig):
        segments = {
            source.name: segment_rows(
                stream(source),
                recipe.config.n_ctx,
                cls_id=tokenizer.id_of(CLS) or 0,
                sep_id=tokenizer.id_of(SEP) or 0,
                ends_sentence=ends,
                seed=seed,
            )
            for source in recipe.sources
        }
        vocabulary = vocabulary_of(tokenizer)
        return SegmentRows(segments, weights, vocabulary, seed, recipe.mask_rate, late)
    assert isinstance(recipe.config, GPTConfig)
    mark = tokenizer.end_of_text_id or 0
    rows = {
        s.name: pack_rows(stream(s), recipe.config.n_ctx, mark, ends, whole=s.whole)
        for s in recipe.sources
    }
    made: dict[str, float] = {}  # rows that stand in no corpus, and their share
    if recipe.repeats and split == "train":
        rng = np.random.default_rng((seed, 5))
        rows["repeats"] = repeat_rows(
            np.concatenate([rows[s.name] for s in recipe.sources if s.column is None]),
            n_rows=20_000 if recipe.tier != "tiny" else 200,
            fragment=recipe.config.n_ctx // 4,
            rng=rng,
        )
        made["repeats"] = recipe.repeats
    if recipe.teaching is not None and written is not None:
        rows["written"] = written
        made["written"] = recipe.teaching.share
    for mix in (weights, *(mix for _first, mix in late)):
        whole = sum(mix) / (1 - sum(made.values()))
        mix += [whole * share for share in made.values()]
    first = () if recipe.teaching is None else recipe.teaching.first
    return TokenRows(rows, weights, seed, late, first)
