"""How well a damaged text is mended: spans that are filled in, pieces that were hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.decoding.decoder import Decoder
from core.text.noise import NOISES, Noise, corrupt_spans
from core.text.sentences import marks_of
from core.training.sources import read_documents
from core.zoo import LoadedModel

LENGTH, TEXTS = 96, 300  # tokens of a text, texts of a file
POOLED = ("valid_wiki", "valid_tinystories")
HIDES: tuple[Noise, ...] = ("mask", "delete", "infill")


def first_spans(
    model: LoadedModel, files: Sequence[Path], *, rate: float, mean: float
) -> dict[str, float]:
    """Of the first spans of unseen texts, the share that is written exactly, greedily.

    Seed 0. Each text is the beginning of a document.
    """
    writer, hiding = model.as_translator("fill_spans"), model.tokenizer.hiding
    counts: dict[str, tuple[int, int]] = {}
    with torch.inference_mode():
        for path in files:
            rng, right, n = np.random.default_rng(0), 0, 0
            for text in _texts(model, path):
                cut = corrupt_spans(text, hiding, rng, rate=rate, mean=mean)
                target = text[cut.starts[0] : cut.ends[0]].tolist()
                decoder = writer.begin(_ended(model, cut.source.ids))
                right += _first_span(decoder, writer.config.start_id, hiding, len(target)) == target
                n += 1
            counts[_named(path)] = (right, n)
    return _shares("first_span", counts)


def _first_span(decoder: Decoder, start_id: int, hiding: Sequence[int], n: int) -> list[int]:
    """What is written between the first two sentinels, at most one token more than was asked."""
    ids = [start_id]
    while len(ids) < n + 3:
        logits = decoder.push(torch.tensor([ids[-1:]]))[0, -1]
        ids.append(int(logits.argmax()))
        if ids[-1] == hiding[1]:
            break
    inner = ids[1:]
    return inner[1:-1] if inner[:1] == [hiding[0]] and inner[-1] == hiding[1] else []


def hidden_pieces(model: LoadedModel, files: Sequence[Path], *, rate: float) -> dict[str, float]:
    """Of the pieces that damage hid, the share that is likeliest where it belongs.

    The decoder is told all of the text before (teacher forcing); what still stands in the source
    counts for nothing. Seed 0, each text once by each way that hides.
    """
    network, tokenizer = model.as_translator("denoise"), model.tokenizer
    marks = marks_of(tokenizer)
    counts: dict[str, tuple[int, int]] = {}
    with torch.inference_mode():
        for path in files:
            rng, right, n = np.random.default_rng(0), 0, 0
            for text in _texts(model, path):
                for name in HIDES:
                    damaged = NOISES[name](text, marks, rng, rate)
                    target = torch.tensor([[network.config.start_id, *text[:-1].tolist()]])
                    logits = network(_ended(model, damaged.ids), target.to(model.device))
                    best = logits[0].argmax(dim=-1).cpu().numpy()
                    right += int((best == text)[damaged.hidden].sum())
                    n += int(damaged.hidden.sum())
            counts[_named(path)] = (right, n)
    return _shares("hidden_pieces", counts)


def _texts(model: LoadedModel, path: Path) -> Iterator[NDArray[np.int64]]:
    """The beginnings of a file's documents, those that are long enough."""
    length, n = min(LENGTH, model.model.config.n_ctx - 9), 0
    for document in read_documents(path):
        ids = model.tokenizer.encode(document, special=False)[:length]
        if len(ids) >= min(24, length) and n < TEXTS:
            n += 1
            yield np.array(ids, dtype=np.int64)


def _ended(model: LoadedModel, ids: NDArray[np.int64]) -> torch.Tensor:
    end = model.model.config.end_id
    return torch.tensor([[*ids.tolist(), end]], device=model.device)


def _named(path: Path) -> str:
    return path.name.removesuffix(".txt.xz")


def _shares(what: str, counts: dict[str, tuple[int, int]]) -> dict[str, float]:
    """By file, and of the encyclopaedia and the stories together, if both are there."""
    shares = {f"{what}/{name}": right / max(1, n) for name, (right, n) in counts.items()}
    pooled = [counts[name] for name in POOLED if name in counts]
    if len(pooled) < len(POOLED):
        return shares
    right, n = (sum(column) for column in zip(*pooled, strict=True))
    return shares | {f"{what}/pooled": right / max(1, n)}
