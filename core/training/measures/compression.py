"""How well a language model predicts text, as compression."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F

from core.text.hiding import IGNORED
from core.text.marks import END_OF_TEXT
from core.training.sources import read_documents
from core.zoo import LoadedModel

_BATCH = 32


def compression(model: LoadedModel, files: Sequence[Path]) -> dict[str, float]:
    """Bits per byte on each file of documents, by its name.

    Raises:
        CorpusError: a file is missing.
    """
    return {
        f"bits_per_byte/{path.name.removesuffix('.txt.xz')}": bits_per_byte(
            model, read_documents(path)
        )
        for path in files
    }


def bits_per_byte(model: LoadedModel, documents: Iterable[str]) -> float:
    """Compression of whole documents: -log2 p(text) over its UTF-8 bytes.

    A document is cut into windows of n_ctx tokens, each behind a start mark;
    every byte is counted once, and no window sees the one before.
    """
    start = model.tokenizer.mark(END_OF_TEXT)
    n_ctx = model.config.n_ctx
    windows: list[list[int]] = []
    n_bytes = 0
    for document in documents:
        n_bytes += len(document.encode())
        (ids,) = model.tokenizer.encode_batch([document])
        windows += [ids[start : start + n_ctx] for start in range(0, len(ids), n_ctx)]
    windows.sort(key=len)
    nats = 0.0
    for first in range(0, len(windows), _BATCH):
        batch = windows[first : first + _BATCH]
        longest = len(batch[-1])
        targets = torch.full((len(batch), longest), IGNORED)
        inputs = torch.full((len(batch), longest), start)
        for row, window in enumerate(batch):
            targets[row, : len(window)] = torch.tensor(window)
            inputs[row, 1 : len(window)] = torch.tensor(window[:-1])
        with torch.inference_mode():
            logits = model.model(inputs.to(model.device)).float().cpu()
        nats += float(
            F.cross_entropy(
                logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED, reduction="sum"
            )
        )
    return nats / math.log(2) / n_bytes
