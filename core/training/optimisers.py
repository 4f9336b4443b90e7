"""How weights move: Muon for the matrices of attention and feed-forward, AdamW for the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from core.nn.attention import MultiHeadAttention
from core.nn.feedforward import FeedForward

_USUAL = 1 / 16  # how far a weight is from 0 at first, for a stream of 256


@dataclass(frozen=True, slots=True)
class Optimiser:
    """The settings of a run's optimisers.

    Attributes:
        lr: peak rate; Muon's step is matched to AdamW's size, so that one rate serves both.
        muon: whether the matrices of attention and feed-forward take Muon's steps.
        in_proportion: a matrix or table whose numbers begin larger or smaller than is usual takes
            larger or smaller steps, as with Adafactor (Shazeer & Stern 2018, section 8). T5 begins
            with tables 16 times as large, and with queries an eighth as large, as it divides no
            scores.
        betas, eps: of AdamW.
        weight_decay: on matrices and tables.
        clip: largest norm of the gradient.
    """

    lr: float
    muon: bool = True
    in_proportion: bool = False
    betas: tuple[float, float] = (0.9, 0.95)
    eps: float = 1e-8
    weight_decay: float = 0.1
    clip: float = 1.0


def make_optimisers(
    model: nn.Module, settings: Optimiser, device: torch.device
) -> list[torch.optim.Optimizer]:
    """The optimisers of a model, each group with its ``peak_lr``.

    Jordan et al. 2024 (Muon) for the matrices that map a stream to a stream, if the settings
    say so; Loshchilov & Hutter 2019 (AdamW) for tables, heads, gains and biases. Gains and
    biases do not decay; what is frozen does not move at all.
    """
    hidden = _hidden_matrices(model) if settings.muon else []
    chosen = set(map(id, hidden))
    others = [p for p in model.parameters() if p.requires_grad and id(p) not in chosen]
    groups = [
        *_groups([p for p in others if p.ndim >= 2], settings),
        {"params": [p for p in others if p.ndim < 2], "weight_decay": 0.0},
    ]
    optimisers: list[torch.optim.Optimizer] = [
        torch.optim.AdamW(
            groups,
            lr=settings.lr,
            betas=settings.betas,
            eps=settings.eps,
            fused=device.type in ("cpu", "cuda"),
        )
    ]
    if hidden:
        optimisers.append(
            torch.optim.Muon(
                _groups(hidden, settings),
                lr=settings.lr,
                momentum=0.95,
                adjust_lr_fn="match_rms_adamw",
            )
        )
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["peak_lr"] = group["lr"]
    return optimisers


def _groups(matrices: list[nn.Parameter], settings: Optimiser) -> list[dict[str, Any]]:
    """Matrices and tables by their rates; each decays."""
    of_rate: dict[float, list[nn.Parameter]] = {}
    for matrix in matrices:
        rate = settings.lr * (_proportion(matrix) if settings.in_proportion else 1.0)
        of_rate.setdefault(rate, []).append(matrix)
    return [{"params": several, "lr": rate, "weight_decay": settings.weight_decay}
            for rate, several in of_rate.items()]  # fmt: skip


def _proportion(matrix: Tensor) -> float:
    """How large its numbers are beside the usual ones, to a power of 2; 1 where all are 0."""
    spread = float(matrix.detach().float().square().mean().sqrt())
    return 2.0 ** round(math.log2(spread / _USUAL)) if spread else 1.0


def _hidden_matrices(model: nn.Module) -> list[nn.Parameter]:
    return [
        parameter
        for layer in model.modules()
        if isinstance(layer, MultiHeadAttention | FeedForward)
        for parameter in layer.parameters()
        if parameter.ndim == 2 and parameter.requires_grad
    ]
