"""How long attention takes, by the length of what is read."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from core.analysis.costs import Layers, Machine
from core.nn.attention import MultiHeadAttention, attend
from core.nn.blocks import PreNormBlock
from core.nn.feedforward import FeedForward
from core.nn.norms import LayerNorm
from core.runs.answering import Context, answer
from core.runs.answers.second_target import shortest
from core.runs.costed import Times
from core.runs.requests import TimesRequest

LENGTHS = (128, 256, 512, 1024)
D_MODEL, HEADS, D_FF = 256, 4, 1024  # those of our GPT


@answer.register
def times(request: TimesRequest, _context: Context) -> Times:
    """Queries, keys and values are drawn: what they are changes no time."""
    generator = torch.Generator().manual_seed(0)

    def drawn(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    layer = PreNormBlock(
        attn=MultiHeadAttention(D_MODEL, HEADS), ffn=FeedForward(D_MODEL, D_FF, "gelu"),
        ln_1=LayerNorm(D_MODEL), ln_2=LayerNorm(D_MODEL),
    )  # fmt: skip
    source = drawn(1, HEADS, request.n_source, D_MODEL // HEADS)
    found: list[list[float]] = []
    with torch.inference_mode():
        for n in LENGTHS:
            q, x = drawn(1, HEADS, n, D_MODEL // HEADS), drawn(1, n, D_MODEL)
            found.append([shortest(run) for run in _runs(q, source, x, layer)])
    alone, masked, cross, whole = map(tuple, zip(*found, strict=True))
    machine = Machine(D_MODEL, HEADS, D_MODEL // HEADS, D_FF, LENGTHS[-1], (Layers(1),), ())
    return Times(LENGTHS, alone, masked, cross, whole, machine, request.n_source)


def _runs(
    q: Tensor, source: Tensor, x: Tensor, layer: PreNormBlock
) -> tuple[Callable[[], object], ...]:
    """What is measured at one length."""
    return (
        lambda: attend(q, q, q),
        lambda: attend(q, q, q, causal=True),
        lambda: attend(q, source, source),
        lambda: layer(x),
    )
