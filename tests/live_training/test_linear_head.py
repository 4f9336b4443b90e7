"""A linear head that is fitted at once."""

from __future__ import annotations

import torch

from core.live_training.linear_head import fitted_head


def test_it_is_where_the_loss_has_no_slope():
    drawn = torch.Generator().manual_seed(0)
    features = torch.randn(30, 4, generator=drawn, dtype=torch.float64)
    labels = (features[:, 0] + 0.5 * torch.randn(30, generator=drawn) > 0).long()
    head = fitted_head(features, labels, 0.1)
    bias = head(torch.zeros(1, 4, dtype=torch.float64))[0]
    weight = (head(torch.eye(4, dtype=torch.float64)) - bias).T
    error = head(features).softmax(dim=-1) - torch.nn.functional.one_hot(labels)
    slope = error.T @ features / len(features) + 2 * 0.1 * weight
    assert slope.abs().max() < 1e-4
    assert error.mean(dim=0).abs().max() < 1e-4
    assert torch.equal(head(features), fitted_head(features, labels, 0.1)(features))
