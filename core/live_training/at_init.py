"""A stack of fresh blocks of one shape: how large its numbers are, and how large the gradients.

Before any training the shape alone decides both (Xiong et al. 2020, "On Layer Normalization in the
Transformer Architecture", section 3). Computed in float64, on the CPU, on tokens drawn by a seed.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import ParameterError
from core.language import N_, Phrase
from core.live_training.records import AtInit, Floats
from core.locale import Choice
from core.seeds import checked_seed
from core.shaped.gpt import OVER_ROOT, SmallGPT, SmallGPTConfig
from core.shaped.shapes import SHAPES
from core.tracing.tap import Recorder

VOCABULARY, LENGTH = 256, 32  # of the tokens that are drawn
D_HEAD = 16
MAX_DEPTH, MAX_WIDTH = 24, 256


def at_init(shape: str, depth: int, width: int, seed: int = 0, spread: str = "fan_in") -> AtInit:
    """Run a fresh small GPT on drawn tokens and send the gradient of its loss back.

    Args:
        shape: of ``SHAPES``.
        depth: layers, at most ``MAX_DEPTH``.
        width: d_model, a multiple of ``D_HEAD`` up to ``MAX_WIDTH``.
        seed: of the weights, and of the tokens: all shapes of a seed read the same.
        spread: of the weights: a name of ``OVER_ROOT``, or "fixed".

    Raises:
        ParameterError: one of these is none.
    """
    _check(shape, depth, width, spread)
    seed = checked_seed(seed)
    config = SmallGPTConfig(
        VOCABULARY, LENGTH, width, depth, width // D_HEAD, SHAPES[shape], spread=spread
    )
    model = SmallGPT(config, torch.Generator().manual_seed(seed)).cpu().double()
    draws = torch.Generator().manual_seed(seed + 1)
    ids = torch.randint(VOCABULARY, (1, LENGTH + 1), generator=draws)
    tap = Recorder(lambda name: name.startswith("blocks."))
    with torch.enable_grad():
        logits = model(ids[:, :-1], tap=tap)
        loss = F.cross_entropy(logits[0], ids[0, 1:])
        sites = tap.values
        output = model.blocks[0].output
        outs = [sites["blocks.0.resid_pre"]]
        outs += [sites[f"blocks.{layer}.{output}"] for layer in range(depth)]
        gradients = torch.autograd.grad(loss, outs)
    first = "blocks.0."
    names = [name.removeprefix(first) for name in sites if name.startswith(first)]
    return AtInit(
        loss=loss.item(),
        size=_rms(outs),
        gradient=_rms(gradients),
        parts={
            name: _rms([sites[f"blocks.{layer}.{name}"] for layer in range(depth)])
            for name in names
        },
    )


def _check(shape: str, depth: int, width: int, spread: str) -> None:
    named = (("shape", shape, tuple(SHAPES)), ("spread", spread, ("fixed", *OVER_ROOT)))
    for name, value, choices in named:
        if value not in choices:
            raise ParameterError(
                name, value, Phrase(N_("one of {choices}"), choices=Choice(choices))
            )
    if not 1 <= depth <= MAX_DEPTH:
        raise ParameterError(
            "depth", depth, Phrase(N_("between {low} and {high}"), low=1, high=MAX_DEPTH)
        )
    if not D_HEAD <= width <= MAX_WIDTH or width % D_HEAD:
        template = N_("a multiple of {d_head} up to {high}")
        raise ParameterError("width", width, Phrase(template, d_head=D_HEAD, high=MAX_WIDTH))


def _rms(tensors: list[Tensor] | tuple[Tensor, ...]) -> Floats:
    """Root mean square of each."""
    return np.array([tensor.detach().square().mean().sqrt().item() for tensor in tensors])
