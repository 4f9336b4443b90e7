"""How clear-cut the attention heads of a language model are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
import torch.nn.functional as F

from core.analysis.heads import first_token_score, previous_token_score
from core.text.marks import END_OF_TEXT
from core.tracing.run import trace_run
from core.zoo import LoadedModel

# Ordinary prose, written for this probe, to score heads on.
PROBE_TEXT = (
    "The old clock in the hall had stopped again, and nobody in the house could say when. "
    "Mara climbed onto a chair, opened the glass and moved the hands to a quarter past nine. "
    "Her brother laughed, because the kitchen clock said ten and the one upstairs said eight. "
    "That evening the three clocks struck the hour together, and the dog hid under the table."
)


def head_scores(model: LoadedModel, n_sequences: int = 200, half: int = 64) -> dict[str, float]:
    """Scores of every head: induction on random tokens said twice, the others on prose.

    The induction probe is Olsson et al. 2022's: ``half`` random tokens, then
    the same again. ``repeat_gain`` is the loss of the first half minus that of
    the second, in nats.
    """
    config = model.config
    half = min(half, (config.n_ctx - 1) // 2)
    start = model.tokenizer.mark(END_OF_TEXT)
    generator = torch.Generator().manual_seed(0)
    usual = torch.tensor(
        [i for i in range(config.vocab_size) if i not in model.tokenizer.special_ids]
    )
    stack, logits = model.blueprint.main, model.blueprint.head.site
    scores = np.zeros((stack.n_layers, stack.n_heads))
    gain = 0.0
    sites = [f"{stack.block(i)}.attn.weights" for i in range(stack.n_layers)]
    for _ in range(n_sequences):
        random = usual[torch.randint(len(usual), (half,), generator=generator)].tolist()
        ids = [start, *random, *random]
        trace = trace_run(model, ids, sites=[*sites, logits])
        assert not isinstance(trace, list)
        queries = range(half + 1, 2 * half + 1)
        for layer, name in enumerate(sites):
            scores[layer] += trace[name][:, queries, [q - half + 1 for q in queries]].mean(axis=-1)
        losses = F.cross_entropy(
            torch.tensor(trace[logits][:-1]), torch.tensor(ids[1:]), reduction="none"
        )
        gain += float(losses[:half].mean() - losses[half:].mean())
    metrics: dict[str, float] = {"repeat_gain": gain / n_sequences}
    prose = trace_run(model, model.fit(PROBE_TEXT)[0], sites=sites)
    assert not isinstance(prose, list)
    for layer, name in enumerate(sites):
        previous, first = previous_token_score(prose[name]), first_token_score(prose[name])
        for head in range(stack.n_heads):
            metrics[f"induction/{layer}.{head}"] = float(scores[layer, head] / n_sequences)
            metrics[f"previous_token/{layer}.{head}"] = float(previous[head])
            metrics[f"first_token/{layer}.{head}"] = float(first[head])
    return metrics


def best_head(metrics: Mapping[str, float], kind: str) -> tuple[str, float]:
    """The head (as "layer.head") with the highest score of a kind."""
    of_kind = {n.split("/")[1]: v for n, v in metrics.items() if n.startswith(kind + "/")}
    return max(of_kind.items(), key=lambda item: item[1])
