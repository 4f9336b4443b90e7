"""A linear head on features that stay as they are: multinomial logistic regression."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

DECAY = 1e-3


def fitted_head(
    features: Tensor, labels: Tensor, decay: float = DECAY
) -> Callable[[Tensor], Tensor]:
    """Logistic regression with a little weight decay, by L-BFGS from zero: nothing is drawn.

    Args:
        features: on a common scale ``(N, D)``.
        labels: numbers of their labels ``(N,)``; each occurs.
        decay: times the squared weights, added to the mean loss.

    Returns:
        from features ``(M, D)`` to logits ``(M, L)``.
    """
    n_labels = int(labels.max()) + 1
    weight = torch.zeros(n_labels, features.shape[1], dtype=features.dtype, requires_grad=True)
    bias = torch.zeros(n_labels, dtype=features.dtype, requires_grad=True)
    optimiser = torch.optim.LBFGS([weight, bias], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        with torch.enable_grad():
            fit = F.cross_entropy(F.linear(features, weight, bias), labels)
            loss_: Tensor = fit + decay * weight.square().sum()
            loss_.backward()
        return loss_

    optimiser.step(loss)
    return lambda x: F.linear(x, weight.detach(), bias.detach())
