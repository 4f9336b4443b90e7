"""Dropout with a rate of its own for each row: text that comes round often is made harder.

A mask is drawn for a row and a place in the network and holds for all
positions, as in Gal & Ghahramani 2016 ("A Theoretically Grounded Application of
Dropout in Recurrent Neural Networks", section 4). It costs a thousandth of a
mask for every number, and as the rate belongs to the row, a small corpus that
is read ten times can be shielded from being learnt by heart while a large one,
read once, is learnt at full strength.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

# What writes into the residual stream: the embeddings and each sub-layer's last matrix.
_WRITES = ("embed", "w_o", "w_2")


class RowDropout:
    """Multiplies what a model's parts write into the residual stream by a row's mask.

    The model's own code knows nothing of it: the masks sit in forward hooks, which
    do nothing outside ``training`` mode.

    Args:
        model: a GPT or BERT; gets the hooks.
        rows: of a batch.
        d_model: width of the residual stream.
        device: of the model.
    """

    def __init__(self, model: nn.Module, rows: int, d_model: int, device: torch.device) -> None:
        self._masks: list[Tensor] = []
        for name, module in model.named_modules():
            if name.rpartition(".")[2] in _WRITES:
                mask = torch.ones(rows, 1, d_model, device=device)
                self._masks.append(mask)
                module.register_forward_hook(_times(mask))

    def draw(self, rates: Sequence[float], *seed: int) -> None:
        """New masks for a batch: each number is 0 with its row's rate, else 1 / (1 - rate).

        Args:
            rates: of each row, from 0 to below 1.
            seed: what the draw depends on, and nothing else.
        """
        rng = np.random.default_rng(seed)
        rate = np.array(rates, np.float32)[:, None, None]
        for mask in self._masks:
            kept = rng.random(tuple(mask.shape), np.float32) >= rate
            mask.copy_(torch.from_numpy(kept / (1 - rate)))


def _times(mask: Tensor) -> Callable[[nn.Module, object, Tensor], Tensor]:
    def multiply(module: nn.Module, _inputs: object, output: Tensor) -> Tensor:
        return output * mask if module.training else output

    return multiply
