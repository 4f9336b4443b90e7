"""One weight moved by the optimiser that trains, and one prediction judged by the loss that does.

What can be computed by hand is read off PyTorch's own AdamW and cross-entropy, in float64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import ParameterError
from core.language import N_
from core.live_training.optimised import AdamRun, SmoothedLoss

LEADS = np.linspace(-4.0, 12.0, 161)  # logits of the right word


def adam_run(
    gradients: Sequence[float], rate: float, betas: tuple[float, float], eps: float
) -> AdamRun:
    """A weight that begins at 0 and is given these gradients, one a step.

    Kingma & Ba 2015, algorithm 1: AdamW without weight decay.

    Args:
        gradients: of the loss, one for each step.
        rate: of learning.
        betas: how much of either average is kept.
        eps: added to the root.
    """
    weight = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.AdamW([weight], lr=rate, betas=betas, eps=eps, weight_decay=0.0)
    rows = []
    for gradient in gradients:
        weight.grad = torch.full_like(weight, gradient)
        optimiser.step()
        state = optimiser.state[weight]
        rows.append((state["exp_avg"].item(), state["exp_avg_sq"].item(), weight.item()))
    mean, square, moved = np.array(rows, np.float64).reshape(-1, 3).T.copy()
    return AdamRun(np.array(gradients, np.float64), mean, square, moved)


def smoothed_loss(
    logits: Sequence[float], right: int, smoothing: float, *, others_only: bool
) -> SmoothedLoss:
    """A prediction, its target and the gradient on every word.

    Args:
        logits: of all words, ``(V,)``.
        right: the word that came.
        smoothing: ε, the share that is spread.
        others_only: over the other words alone; else over all of them (Szegedy et al. 2016,
            section 7), as ``label_smoothing`` of torch's cross-entropy does.

    Raises:
        ParameterError: there is no such word.
    """
    if not 0 <= right < len(logits):
        raise ParameterError("right", right, N_("a word that there is"))
    z = torch.tensor(logits, dtype=torch.float64, requires_grad=True)
    with torch.enable_grad():
        loss = _loss(z[None], right, smoothing, others_only)[0]
        (gradient,) = torch.autograd.grad(loss, z)
    probs = z.detach().softmax(dim=-1)
    tried = z.detach().repeat(len(LEADS), 1)
    tried[:, right] = torch.from_numpy(LEADS)
    return SmoothedLoss(
        probs.numpy(), (probs - gradient).numpy(), gradient.numpy(), loss.item(), LEADS,
        tried.softmax(dim=-1)[:, right].numpy(),
        _loss(tried, right, smoothing, others_only).numpy(),
        _loss(tried, right, 0.0, others_only).numpy(),
    )  # fmt: skip


def _loss(logits: Tensor, right: int, smoothing: float, others_only: bool) -> Tensor:
    """``(n, V) -> (n,)``, in nats."""
    n, size = logits.shape
    if not others_only:
        expected = torch.full((n,), right)
        return F.cross_entropy(logits, expected, label_smoothing=smoothing, reduction="none")
    target = torch.full_like(logits, smoothing / max(1, size - 1))
    target[:, right] = 1 - smoothing
    return F.cross_entropy(logits, target, reduction="none")
