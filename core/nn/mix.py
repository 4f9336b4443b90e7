"""One vector out of the layers of a model: a weighted sum that a task learns."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from core.errors import ParameterError
from core.language import N_, Phrase


def mixed(layers: Sequence[Tensor], scores: Tensor, scale: Tensor | float = 1.0) -> Tensor:
    """Peters et al. 2018, equation (1): scale * sum over j of softmax(scores)_j * layers_j.

    Args:
        layers: of one shape, ``(..., D)``.
        scores: one number a layer, before the softmax.
        scale: of the whole vector, the paper's gamma.

    Raises:
        ParameterError: there are not as many scores as layers.
    """
    if len(layers) != len(scores):
        raise ParameterError(
            "scores", len(scores), Phrase(N_("one for each of {n} layers"), n=len(layers))
        )
    shares = scores.softmax(0)
    return scale * sum(share * layer for share, layer in zip(shares, layers, strict=True))


class ScalarMix(nn.Module):
    """The same with scores and a scale that a task learns, while the model stays as it is.

    Args:
        n_layers: how many it mixes; at first all count alike.
    """

    def __init__(self, n_layers: int) -> None:
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(n_layers))
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, layers: Sequence[Tensor]) -> Tensor:
        """``(..., D)`` of each layer to ``(..., D)``; errors as of ``mixed``."""
        return mixed(layers, self.scores, self.scale)
