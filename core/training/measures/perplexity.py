"""How well two language models predict the words of a text, forwards and backwards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from core.text.hiding import IGNORED
from core.text.marks import END, START, UNK
from core.training.sources import read_documents
from core.training.words import Lexicon, numbered
from core.zoo import LoadedModel

_WORDS = 2048  # of a batch, padding included


def perplexity(model: LoadedModel, files: Sequence[Path]) -> dict[str, float]:
    """Perplexity a word in both directions on each file of documents, and the share unknown.

    A word without an entry in the vocabulary is right when "unknown" is predicted; the share of
    such words says how often that is asked. The marks around a document count as words.

    Raises:
        AbilityError: it does not predict both ways.
        CorpusError: a file is missing.
    """
    metrics = {}
    for path in files:
        name = path.name.removesuffix(".txt.xz")
        ahead, back, unknown = _measured(model, path)
        metrics[f"perplexity_forward/{name}"] = ahead
        metrics[f"perplexity_backward/{name}"] = back
        metrics[f"unknown/{name}"] = unknown
    return metrics


def _measured(model: LoadedModel, path: Path) -> tuple[float, float, float]:
    tokenizer, spelling = model.tokenizer, model.encoders.spelling
    predict = model.as_both_ways()
    assert spelling is not None  # a model that predicts both ways spells words out
    numbers = {START: 0, END: 1}
    stream = numbered(read_documents(path), tokenizer, numbers)
    lexicon = Lexicon.of(list(numbers), tokenizer, spelling)
    nats = np.zeros(2)
    windows = _windows([stream.document(n) for n in range(stream.n_documents)], model.config.n_ctx)
    for ids, real in windows:
        letters = torch.from_numpy(lexicon.letters[ids]).long()
        entries = torch.from_numpy(np.where(real, lexicon.entries[ids], IGNORED)).to(model.device)
        with torch.inference_mode():
            ahead, back = predict(letters, real=torch.from_numpy(real))
        sides = ((ahead[:, :-1], entries[:, 1:]), (back[:, 1:], entries[:, :-1]))
        for side, (logits, targets) in enumerate(sides):
            targets = targets.where(entries[:, 1:] != IGNORED, IGNORED)  # nothing follows the last
            nats[side] += float(
                F.cross_entropy(
                    logits.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORED,
                    reduction="sum",
                )
            )  # fmt: skip
    n = len(stream.ids)
    n_words = max(1, n - stream.n_documents)  # without the marks
    unknown = (lexicon.entries[stream.ids] == tokenizer.mark(UNK)).sum() / n_words
    return math.exp(nats[0] / n), math.exp(nats[1] / n), float(unknown)


def _windows(
    documents: Sequence[NDArray[np.unsignedinteger]], n_ctx: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """Batches of windows, filled up, and where they hold words: ``(B, T)`` both.

    A document's start mark is number 0. A window begins with the last word of the one before, so
    that every word is predicted once in each direction.
    """
    cut = []
    for document in documents:
        whole = np.concatenate(([0], document)).astype(np.int64)
        cut += [whole[start : start + n_ctx] for start in range(0, len(whole) - 1, n_ctx - 1)]
    cut.sort(key=len, reverse=True)
    while cut:
        n = max(1, _WORDS // len(cut[0]))
        batch, cut = cut[:n], cut[n:]
        ids = np.zeros((len(batch), len(batch[0])), np.int64)
        real = np.zeros(ids.shape, bool)
        for row, window in enumerate(batch):
            ids[row, : len(window)] = window
            real[row, : len(window)] = True
        yield ids, real
