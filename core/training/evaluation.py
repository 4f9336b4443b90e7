"""The figures on a model's card, measured again from its weights and public text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.analysis.heads import first_token_score, previous_token_score
from core.models.protocols import MaskedLM
from core.text.tokenizer import CLS, SEP
from core.tracing.run import trace_run
from core.training.batches import segment_rows, vocabulary_of
from core.training.data import Source, encode_documents, read_documents, sentence_ends
from core.training.objectives import IGNORED, mask_words
from core.zoo import LoadedModel

Metrics = dict[str, float]
_BATCH = 32
# Ordinary prose, written for this probe, to score heads on.
PROBE_TEXT = (
    "The old clock in the hall had stopped again, and nobody in the house could say when. "
    "Mara climbed onto a chair, opened the glass and moved the hands to a quarter past nine. "
    "Her brother laughed, because the kitchen clock said ten and the one upstairs said eight. "
    "That evening the three clocks struck the hour together, and the dog hid under the table."
)


def evaluate(model: LoadedModel, sources: Sequence[Source], corpora: Path) -> Metrics:
    """All figures of a model, by name.

    Raises:
        CorpusError: a validation file is missing.
    """
    if isinstance(model.model, MaskedLM):
        return evaluate_bert(model, sources, corpora)
    return evaluate_gpt(model, sources, corpora)


def evaluate_gpt(model: LoadedModel, sources: Sequence[Source], corpora: Path) -> Metrics:
    """Bits per byte on each validation file, and how clear-cut its best heads are."""
    metrics = {
        f"bits_per_byte/{source.valid.removesuffix('.txt.xz')}": bits_per_byte(
            model, read_documents(corpora / source.valid)
        )
        for source in sources
        if source.valid
    }
    return metrics | head_metrics(model)


def bits_per_byte(model: LoadedModel, documents: Iterator[str]) -> float:
    """Compression of whole documents: -log2 p(text) over its UTF-8 bytes.

    A document is cut into windows of n_ctx tokens, each behind a start mark;
    every byte is counted once, and no window sees the one before.
    """
    start = model.tokenizer.end_of_text_id or 0
    n_ctx = model.config.n_ctx
    windows: list[list[int]] = []
    n_bytes = 0
    for document in documents:
        n_bytes += len(document.encode())
        (ids,) = model.tokenizer.encode_batch([document])
        windows += [ids[at : at + n_ctx] for at in range(0, len(ids), n_ctx)]
    windows.sort(key=len)
    nats = 0.0
    for at in range(0, len(windows), _BATCH):
        batch = windows[at : at + _BATCH]
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


def head_metrics(model: LoadedModel, n_sequences: int = 200, half: int = 64) -> Metrics:
    """Scores of every head: induction on random tokens said twice, the others on prose.

    The induction probe is Olsson et al. 2022's: ``half`` random tokens, then
    the same again. ``repeat_gain`` is the loss of the first half minus that of
    the second, in nats.
    """
    config = model.config
    half = min(half, (config.n_ctx - 1) // 2)
    start = model.tokenizer.end_of_text_id or 0
    generator = torch.Generator().manual_seed(0)
    usual = torch.tensor(
        [i for i in range(config.vocab_size) if i not in model.tokenizer.special_ids]
    )
    scores = np.zeros((config.n_layers, config.n_heads))
    gain = 0.0
    sites = [f"blocks.{i}.attn.weights" for i in range(config.n_layers)]
    for _ in range(n_sequences):
        random = usual[torch.randint(len(usual), (half,), generator=generator)].tolist()
        ids = [start, *random, *random]
        trace = trace_run(model, ids, sites=[*sites, "logits"])
        assert not isinstance(trace, list)
        queries = range(half + 1, 2 * half + 1)
        for layer, name in enumerate(sites):
            scores[layer] += trace[name][:, queries, [q - half + 1 for q in queries]].mean(axis=-1)
        losses = F.cross_entropy(
            torch.tensor(trace["logits"][:-1]), torch.tensor(ids[1:]), reduction="none"
        )
        gain += float(losses[:half].mean() - losses[half:].mean())
    metrics: Metrics = {"repeat_gain": gain / n_sequences}
    prose = trace_run(model, model.fit(PROBE_TEXT)[0], sites=sites)
    assert not isinstance(prose, list)
    for layer, name in enumerate(sites):
        previous, first = previous_token_score(prose[name]), first_token_score(prose[name])
        for head in range(config.n_heads):
            metrics[f"induction/{layer}.{head}"] = float(scores[layer, head] / n_sequences)
            metrics[f"previous_token/{layer}.{head}"] = float(previous[head])
            metrics[f"first_token/{layer}.{head}"] = float(first[head])
    return metrics


def best_head(metrics: Metrics, kind: str) -> tuple[str, float]:
    """The head (as "layer.head") with the highest score of a kind."""
    of_kind = {n.split("/")[1]: v for n, v in metrics.items() if n.startswith(kind + "/")}
    return max(of_kind.items(), key=lambda item: item[1])


def evaluate_bert(model: LoadedModel, sources: Sequence[Source], corpora: Path) -> Metrics:
    """How often hidden words and neighbouring sentences are guessed right, by file."""
    metrics: Metrics = {}
    for source in sources:
        if source.valid:
            name = source.valid.removesuffix(".txt.xz")
            documents = list(read_documents(corpora / source.valid))
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
    cls_id, sep_id = tokenizer.id_of(CLS) or 0, tokenizer.id_of(SEP) or 0
    rng = np.random.default_rng(seed)
    right_1 = right_5 = n = 0
    examples = []
    for document in documents:
        (ids,) = tokenizer.encode_batch([document])
        for at in range(0, len(ids), n_ctx - 2):
            window = [cls_id, *ids[at : at + n_ctx - 2], sep_id]
            examples.append(mask_words(window, vocabulary, rng, rate=rate, p_mask=1, p_random=0))
    for at in range(0, len(examples), _BATCH):
        batch = examples[at : at + _BATCH]
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
        cls_id=tokenizer.id_of(CLS) or 0,
        sep_id=tokenizer.id_of(SEP) or 0,
        ends_sentence=sentence_ends(tokenizer),
        seed=seed,
        p_single=0.0,
        p_short=0.0,
    )
    pairs = np.flatnonzero(rows.follows != IGNORED)
    right = 0
    for at in range(0, len(pairs), _BATCH):
        chosen = pairs[at : at + _BATCH]
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
