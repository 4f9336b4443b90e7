"""How weights move: Muon for the matrices of attention and feed-forward, AdamW for the rest."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from core.nn.attention import MultiHeadAttention
from core.nn.feedforward import FeedForward


@dataclass(frozen=True, slots=True)
class Optimiser:
    """The settings of a run's optimisers.

    Attributes:
        lr: peak rate; Muon's step is matched to AdamW's size, so that one rate serves both.
        muon: whether the matrices of attention and feed-forward take Muon's steps.
        betas, eps: of AdamW.
        weight_decay: on matrices and tables.
        clip: largest norm of the gradient.
    """

    lr: float
    muon: bool = True
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
        {"params": [p for p in others if p.ndim >= 2], "weight_decay": settings.weight_decay},
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
                hidden,
                lr=settings.lr,
                weight_decay=settings.weight_decay,
                momentum=0.95,
                adjust_lr_fn="match_rms_adamw",
            )
        )
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["peak_lr"] = group["lr"]
    return optimisers


def _hidden_matrices(model: nn.Module) -> list[nn.Parameter]:
    return [
        parameter
        for layer in model.modules()
        if isinstance(layer, MultiHeadAttention | FeedForward)
        for parameter in layer.parameters()
        if parameter.ndim == 2 and parameter.requires_grad
    ]
