"""How likely a machine finds a word in a hole of a text, each in the way it has learned.

GPT reads what stands before the hole and no more. BERT reads ``[MASK]`` there, T5 and BART their
own mark, which their decoder then fills. ELMo multiplies what its two directions say. So one
question can be put to all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.inputs import Batch, Text
from core.models.abilities import Ability
from core.nn.masks import padding_mask
from core.units import Token
from core.zoo import LoadedModel

Logs = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Hole:
    """A word of a text that is hidden.

    Attributes:
        before, word, after: the text in three parts.
        cut: what stands after the word is not read.
    """

    before: str
    word: str
    after: str = ""
    cut: bool = False

    @property
    def text(self) -> str:
        """As it would stand there."""
        return self.before + self.word + self.after

    def from_left(self) -> Hole:
        """The same without what stands after it."""
        return replace(self, cut=True)

    def places(self, tokens: Sequence[Token]) -> list[int]:
        """Which of the text's tokens the word is."""
        start, end = len(self.before), len(self.before) + len(self.word)
        return [n for n, token in enumerate(tokens)
                if not token.special and token.start < end and token.end > start]  # fmt: skip


def chances(model: LoadedModel, holes: Sequence[Hole]) -> Logs:
    """The log-probability of each hole's word ``(n,)``; NaN for what a machine cannot read or say.

    Args:
        model: asked by the first of its abilities in ``FILLS``; NaN for one without.
        holes: to be filled.
    """
    way = way_of(model)
    return np.full(len(holes), np.nan) if way is None else FILLS[way](model, holes)


def way_of(model: LoadedModel) -> Ability | None:
    """The first of its abilities by which it fills holes; None if it has none."""
    return next((ability for ability in FILLS if ability in model.abilities), None)


def rows_of(rows: Sequence[Sequence[int]], fill: int, device: torch.device) -> Tensor:
    """Ids of different lengths as one tensor ``(n, longest)``, filled up behind."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows], device=device)


Row = tuple[int, ...]


Wanted = tuple[int, Row]  # where a row's prediction of some tokens begins, and their ids


def _scored(
    rows: Sequence[Row], wanted: Sequence[Wanted], n_ctx: int,
    score: Callable[[Sequence[Row]], Tensor],
) -> Logs:  # fmt: skip
    """The log-probability of what is wanted of each row; NaN for what is too long, or nothing.

    Args:
        rows: what is read; of equal ones one is run.
        wanted: of each.
        n_ctx: tokens of the longest that can be read.
        score: gives the logits of some rows ``(B, T, V)``.
    """
    log_probs = np.full(len(rows), np.nan)
    fits = [n for n, (row, (_at, ids)) in enumerate(zip(rows, wanted, strict=True))
            if 0 < len(row) <= n_ctx and ids]  # fmt: skip
    different = list(dict.fromkeys(rows[n] for n in fits))
    if not different:
        return log_probs
    with torch.inference_mode():
        logits = score(different)
    place = {row: n for n, row in enumerate(different)}
    for n in fits:
        start, ids = wanted[n]
        logs = logits[place[rows[n]], start : start + len(ids)].cpu().double().log_softmax(-1)
        log_probs[n] = float(logs[range(len(ids)), ids].sum())
    return log_probs


def _from_left(model: LoadedModel, holes: Sequence[Hole]) -> Logs:
    """Of a machine that continues a text: it reads what stands before, whatever follows."""
    rows, targets = [], []
    for hole in holes:
        tokens = model.tokens(hole.before + hole.word)
        places = [n for n in hole.places(tokens) if n]
        ids = tuple(token.id for token in tokens)
        rows.append(ids[: places[-1]] if places else ())
        targets.append((places[0] - 1 if places else 0, tuple(ids[n] for n in places)))
    return _scored(
        rows, targets, model.config.n_ctx,
        lambda batch: model.as_scorer("next_token")(
            rows_of(batch, model.tokenizer.pad_id, model.device)
        ),
    )  # fmt: skip


def _masked(model: LoadedModel, holes: Sequence[Hole]) -> Logs:
    """Of a machine that fills in hidden words: each piece behind a mark of its own."""
    mark = model.tokenizer.hiding[0]
    rows, targets = [], []
    for hole in holes:
        tokens = model.tokens(hole.text)
        places = hole.places(tokens)
        ids = [mark if n in places else token.id for n, token in enumerate(tokens)]
        if hole.cut and places:
            ids = [*ids[: places[-1] + 1], *(token.id for token in tokens[-1:] if token.special)]
        rows.append(tuple(ids))
        targets.append((places[0] if places else 0, tuple(tokens[n].id for n in places)))

    def score(batch: Sequence[Row]) -> Tensor:
        padded = rows_of(batch, model.tokenizer.pad_id, model.device)
        mask = padding_mask([len(row) for row in batch], padded.shape[1], model.device)
        logits = model.as_scorer("masked_words")(padded, mask=mask)
        return logits[..., : model.tokenizer.vocab_size]

    return _scored(rows, targets, model.config.n_ctx, score)


def _both_ways(model: LoadedModel, holes: Sequence[Hole]) -> Logs:
    """Of a machine that reads forwards and backwards: the product of both, made to add up to 1.

    Neither half reads the word itself, so one run does for all words of a hole.
    """
    around = {(hole.before, hole.after): hole.text for hole in reversed(holes)}
    texts = list(dict.fromkeys(around.values()))
    prepared = model.prepare(Batch(tuple(map(Text, texts))))
    (letters,) = prepared.tensors.values()
    lengths = [len(next(iter(streams.values())).tokens) for streams in prepared.streams]
    real = padding_mask(lengths, letters.shape[1], model.device)[:, 0, 0]
    with torch.inference_mode():
        ahead, back = model.as_both_ways()(letters, real=real)
    log_probs = np.full(len(holes), np.nan)
    for n, hole in enumerate(holes):
        row = texts.index(around[hole.before, hole.after])
        tokens = model.tokens(hole.text)
        places = hole.places(tokens)
        if len(places) != 1 or tokens[places[0]].unknown or len(tokens) != lengths[row]:
            continue
        (place,) = places
        logs = ahead[row, place - 1].cpu().double().log_softmax(-1)
        if not hole.cut and place + 1 < lengths[row]:
            logs = (logs + back[row, place + 1].cpu().double().log_softmax(-1)).log_softmax(-1)
        log_probs[n] = float(logs[tokens[place].id])
    return log_probs


def _written(model: LoadedModel, ability: Ability, rows: Sequence[tuple[Row, Row, Row]]) -> Logs:
    """Of a source the log-probability of a target's last tokens, after its first ones."""
    network, fill = model.as_translator(ability), model.tokenizer.pad_id
    start, n_ctx = network.config.start_id, network.config.n_ctx
    targets = {}
    whole: list[Row] = []
    for source, first, word in rows:
        key = (*source, -1, *first, *word)  # what decides the logits
        targets[key] = source, (start, *first, *word[:-1])
        whole.append(key if len(source) <= n_ctx and len(first) + len(word) <= n_ctx else ())

    def score(batch: Sequence[Row]) -> Tensor:
        sources = [targets[row][0] for row in batch]
        source = rows_of(sources, fill, model.device)
        target = rows_of([targets[row][1] for row in batch], fill, model.device)
        mask = padding_mask([len(row) for row in sources], source.shape[1], model.device)
        return network(source, target, encoder_mask=mask, cross_mask=mask)

    wanted = [(len(first), word) for _source, first, word in rows]
    return _scored(whole, wanted, 2 * n_ctx + 1, score)


def _parts(model: LoadedModel, hole: Hole) -> tuple[Row, Row, Row]:
    """The ids before the word, of it, and after it, without the model's marks."""
    tokens = [token for token in model.tokenizer.tokens(hole.text) if not token.special]
    places, ids = hole.places(tokens), tuple(token.id for token in tokens)
    if not places:
        return ids, (), ()
    after = () if hole.cut else ids[places[-1] + 1 :]
    return ids[: places[0]], ids[places[0] : places[-1] + 1], after


def _spans(model: LoadedModel, holes: Sequence[Hole]) -> Logs:
    """Of a machine that fills in spans: its decoder writes the mark, and then the word."""
    mark, end = model.tokenizer.hiding[0], model.as_translator("fill_spans").config.end_id
    parts = [_parts(model, hole) for hole in holes]
    rows = [((*pre, mark, *post, end), (mark,), word) for pre, word, post in parts]
    return _written(model, "fill_spans", rows)


def _noise(model: LoadedModel, holes: Sequence[Hole]) -> Logs:
    """Of a machine that mends a text: its decoder writes all of it, up to the word."""
    mark, end = model.tokenizer.hiding[0], model.as_translator("denoise").config.end_id
    parts = [_parts(model, hole) for hole in holes]
    rows = [((*pre, mark, *post, end), pre, word) for pre, word, post in parts]
    return _written(model, "denoise", rows)


FILLS: Mapping[Ability, Callable[[LoadedModel, Sequence[Hole]], Logs]] = {
    "next_token": _from_left,
    "masked_words": _masked,
    "both_ways": _both_ways,
    "fill_spans": _spans,
    "denoise": _noise,
}
