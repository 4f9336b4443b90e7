"""Text that finished models write, for another to learn their predictions from."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from core.models.gpt import GPT
from core.training.data import Ids, TokenStream

WRITTEN_FILE = "written.npy"
_SHORTEST_PROMPT, _LONGEST_PROMPT = 2, 12  # tokens: a beginning, and little more


def write_rows(
    writers: Sequence[GPT],
    prompts: TokenStream,
    n_rows: int,
    n_ctx: int,
    mark: int,
    seed: int,
    *,
    at_once: int = 256,
) -> Ids:
    """Rows of text drawn from the models' own distributions, at temperature 1.

    A row is full of documents. Each begins with the first words of one of ``prompts``, drawn
    at random, and goes on until the model ends it. The models take turns, ``at_once`` rows each.

    Args:
        writers: models of one vocabulary; at least one.
        prompts: documents as ids.
        n_rows: how many rows.
        n_ctx: their length without the mark; no writer's context is shorter.
        mark: the id before every document.
        seed: of the beginnings and the draws.
        at_once: rows that are written side by side.

    Returns:
        ``(n_rows, n_ctx + 1)``, in bfloat16's precision.
    """
    rng = np.random.default_rng((seed, 7))
    draws = torch.Generator().manual_seed(seed)
    fast = [copy.deepcopy(writer).to(torch.bfloat16) for writer in writers]
    parts: list[Ids] = []
    for turn, first in enumerate(range(0, n_rows, at_once)):
        n = min(at_once, n_rows - first)
        parts.append(_write(fast[turn % len(fast)], prompts, n, n_ctx, mark, rng, draws))
    return np.concatenate(parts)


@torch.inference_mode()
def _write(
    writer: GPT,
    prompts: TokenStream,
    n: int,
    n_ctx: int,
    mark: int,
    rng: np.random.Generator,
    draws: torch.Generator,
) -> Ids:
    """``n`` rows of one model, side by side."""

    def beginning() -> list[int]:
        document = prompts.document(int(rng.integers(prompts.n_documents)))
        length = int(rng.integers(_SHORTEST_PROMPT, _LONGEST_PROMPT + 1))
        return [int(i) for i in document[:length]][::-1]

    cache = writer.make_cache(n_ctx, n)
    told = {row: beginning() for row in range(n)}  # what is still to be said of a beginning
    newest = torch.full((n,), mark)
    row_ids = [newest]
    for _ in range(n_ctx):
        logits = writer(newest[:, None], cache=cache)[:, -1].float().cpu()
        # A number on the line of summed probabilities: ten times as fast as ``torch.multinomial``.
        sums = torch.softmax(logits, dim=-1).cumsum(dim=-1)
        at = torch.rand(n, 1, generator=draws) * sums[:, -1:]
        newest = torch.searchsorted(sums, at)[:, 0].clamp(max=sums.shape[1] - 1)
        for row, rest in list(told.items()):
            newest[row] = rest.pop()
            if not rest:
                del told[row]
        told |= {row: beginning() for row in (newest == mark).nonzero()[:, 0].tolist()}
        row_ids.append(newest)
    return torch.stack(row_ids, dim=1).numpy().astype(np.uint16)


def keep_rows(rows: Ids, run: Path) -> None:
    """Store written rows beside a run, whole or not at all."""
    run.mkdir(parents=True, exist_ok=True)
    partial = run / f"{WRITTEN_FILE}.{os.getpid()}.npy"  # other processes may be at it too
    np.save(partial, rows)
    partial.replace(run / WRITTEN_FILE)
