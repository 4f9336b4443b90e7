"""Dropout as in the 2017 paper, put around a model whose own code knows nothing of it."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from core.models.rnn import Readout
from core.nn.attention import MultiHeadAttention
from core.nn.embeddings import WordVectors
from core.nn.feedforward import FeedForward

WRITES = (MultiHeadAttention, FeedForward, WordVectors, Readout)
_LEVELS = 256  # a number is dropped by a random byte


class Dropout:
    """Sets numbers to 0 at random where sub-layers write and where stacks begin.

    Vaswani et al. 2017, section 5.4: on the output of each sub-layer before it is added, and
    on the sums of embeddings and positions. In recurrent models on the rows of the token table
    and on what the output is read from (Zaremba et al. 2014: never from state to state).

    The masks sit in hooks, which do nothing outside ``training`` mode. They come from random
    bytes that are drawn before the step, a tenth of the cost of the compiler's own random
    numbers on a CPU, and the same whether a step is compiled or not; so the rate is a multiple
    of 1/256.

    Args:
        model: gets the hooks.
        rate: share of the numbers that become 0; the others are divided by the rest.
        largest: numbers that one of these places holds at most.
        device: of the model.
    """

    def __init__(self, model: nn.Module, rate: float, largest: int, device: torch.device) -> None:
        self._dropped = round(rate * _LEVELS)
        self._noise: list[Tensor] = []
        for module in model.modules():
            if isinstance(module, WRITES):
                noise = self._add_noise(largest, device)
                module.register_forward_hook(
                    lambda module, _args, out, noise=noise: self._drop(module, out, noise)
                )
            elif isinstance(module, nn.ModuleList):
                noise = self._add_noise(largest, device)
                module[0].register_forward_pre_hook(
                    lambda module, args, noise=noise: self._drop(module, args[0], noise)
                )
        if not self._noise:
            raise TypeError(f"dropout knows no place in a {type(model).__name__}")

    def draw(self, *seed: int) -> None:
        """New masks, which depend on the seed and on nothing else."""
        rng = np.random.default_rng(seed)
        for noise in self._noise:
            noise.copy_(torch.from_numpy(np.frombuffer(rng.bytes(len(noise)), np.uint8).copy()))

    def _add_noise(self, largest: int, device: torch.device) -> Tensor:
        self._noise.append(torch.zeros(largest, dtype=torch.uint8, device=device))
        return self._noise[-1]

    def _drop(self, module: nn.Module, x: Tensor, noise: Tensor) -> Tensor:
        if not module.training:
            return x
        kept = noise[: x.numel()].view(x.shape) >= self._dropped
        return x * kept * (_LEVELS / (_LEVELS - self._dropped))
