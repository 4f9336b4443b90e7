"""Whether hidden units are active where the tokens that they promote come next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.analysis.distributions import largest
from core.analysis.units import Hits, logits_per_one, promoted_hits
from core.inputs import Ids
from core.models.abilities import require
from core.text.marks import END_OF_TEXT
from core.tracing.recording import run_prepared
from core.training.sources import read_documents
from core.zoo import LoadedModel

N_TOKENS = 100_000
_PROMOTED = 20  # tokens that count as a unit's own


def unit_hits(model: LoadedModel, files: Sequence[Path], n_tokens: int = N_TOKENS) -> Hits:
    """The hits of each unit in the last layer, on files of documents.

    Args:
        model: predicts the next token.
        files: as many tokens are read of each, from its beginning.
        n_tokens: of all files together.

    Raises:
        AbilityError: the model does not predict the next token.
        CorpusError: a file is missing.
    """
    require(model.id, model.abilities, "next_token")
    stack = model.blueprint.stack("")
    layer = stack.n_layers - 1
    site = f"{stack.block(layer)}.ffn.post"
    start = model.tokenizer.mark(END_OF_TEXT)
    activations, next_ids = [], []
    for file in files:
        for window in _windows(model, file, n_tokens // len(files)):
            (trace,) = run_prepared(model, model.prepare(Ids((start, *window[:-1]))), (site,))
            activations.append(trace[site])
            next_ids.append(window)
    # The norm's divisor scales all logits alike, so any run gives the same order of tokens.
    (trace,) = run_prepared(model, model.prepare(Ids((start,))))
    per_word = logits_per_one(trace, stack, layer, list(range(stack.d_ff)), 0)
    promoted = np.stack([largest(row, _PROMOTED) for row in per_word])
    return promoted_hits(np.concatenate(activations), np.concatenate(next_ids), promoted)


def _windows(model: LoadedModel, file: Path, n_tokens: int) -> Iterator[list[int]]:
    """The documents of a file in windows of the context, until there are so many tokens."""
    n_ctx, n_left = model.config.n_ctx, n_tokens
    for document in read_documents(file):
        (ids,) = model.tokenizer.encode_batch([document])
        for start in range(0, len(ids), n_ctx):
            window = ids[start : start + min(n_ctx, n_left)]
            if window:
                yield window
            n_left -= len(window)
        if n_left <= 0:
            return
