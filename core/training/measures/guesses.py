"""How often hidden words and neighbouring sentences are guessed right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core.text.hiding import IGNORED, mask_words, vocabulary_of
from core.text.marks import CLS, SEP
from core.text.sentences import sentence_ends
from core.training.segments import segment_rows
from core.training.sources import read_documents
from core.training.streams import encode_documents
from core.zoo import LoadedModel

_BATCH = 32


def guesses(model: LoadedModel, files: Sequence[Path]) -> dict[str, float]:
    """Shares of right guesses on each file of documents, by its name.

    Raises:
        CorpusError: a file is missing.
    """
    metrics = {}
    for path in files:
        name = path.name.removesuffix(".txt.xz")
        documents = list(read_documents(path))
        top_1, top_5 = masked_word_accuracy(model, documents)
        metrics[f"masked_top_1/{name}"], metrics[f"masked_top_5/{name}"] = top_1, top_5
        metrics[f"next_sentence/{name}"] = next_sentence_accuracy(model, documents)
    return metrics


def masked_word_accuracy(
    model: LoadedModel, documents: Sequence[str], *, rate: float = 0.15, seed: int = 0
) -> tuple[float, float]:
    """Top-1 and top-5 accuracy, by piece, with whole words hidden behind [MASK]."""
    tokenizer, n_ctx = model.tokenizer, model.config.n_ctx
    vocabulary = vocabulary_of(tokenizer)
    cls_id, sep_id = tokenizer.mark(CLS), tokenizer.mark(SEP)
    rng = np.random.default_rng(seed)
    right_1 = right_5 = n = 0
    examples = []
    for document in documents:
        (ids,) = tokenizer.encode_batch([document])
        for start in range(0, len(ids), n_ctx - 2):
            window = [cls_id, *ids[start : start + n_ctx - 2], sep_id]
            examples.append(mask_words(window, vocabulary, rng, rate=rate, p_mask=1, p_random=0))
    for start in range(0, len(examples), _BATCH):
        batch = examples[start : start + _BATCH]
        longest = max(len(example.ids) for example in batch)
        ids_in = torch.full((len(batch), longest), tokenizer.pad_id)
        targets = torch.full((len(batch), longest), IGNORED)
        mask = torch.zeros(len(batch), 1, 1, longest, dtype=torch.bool)
        for row, example in enumerate(batch):
            ids_in[row, : len(example.ids)] = torch.from_numpy(example.ids)
            targets[row, : len(example.ids)] = torch.from_numpy(example.targets)
            mask[row, ..., : len(example.ids)] = True
        with torch.inference_mode():
            hidden = model.model.hidden(ids_in.to(model.device), mask=mask.to(model.device))
            chosen = targets != IGNORED
            logits = model.model.masked_words(hidden[chosen.to(model.device)]).cpu()
        hits: Tensor = logits.topk(5).indices == targets[chosen][:, None]
        right_1 += int(hits[:, 0].sum())
        right_5 += int(hits.any(dim=1).sum())
        n += len(hits)
    return right_1 / n, right_5 / n


def next_sentence_accuracy(model: LoadedModel, documents: Sequence[str], seed: int = 0) -> float:
    """How often "does B follow A?" is answered right, on pairs of which half do."""
    tokenizer, n_ctx = model.tokenizer, model.config.n_ctx
    rows = segment_rows(
        encode_documents(documents, tokenizer),
        n_ctx,
        cls_id=tokenizer.mark(CLS),
        sep_id=tokenizer.mark(SEP),
        ends_sentence=sentence_ends(tokenizer),
        seed=seed,
        p_single=0.0,
        p_short=0.0,
    )
    pairs = np.flatnonzero(rows.follows != IGNORED)
    right = 0
    for start in range(0, len(pairs), _BATCH):
        chosen = pairs[start : start + _BATCH]
        ids = torch.from_numpy(rows.ids[chosen].astype(np.int64))
        places = torch.arange(n_ctx)
        types = (places >= torch.from_numpy(rows.second[chosen])[:, None]).long()
        mask = (places < torch.from_numpy(rows.lengths[chosen])[:, None])[:, None, None, :]
        with torch.inference_mode():
            hidden = model.model.hidden(
                ids.to(model.device), types=types.to(model.device), mask=mask.to(model.device)
            )
            answers = model.model.next_sentence(hidden).argmax(dim=-1).cpu().numpy()
        right += int((answers == rows.follows[chosen]).sum())
    return right / len(pairs)
