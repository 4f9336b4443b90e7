"""Dropout as in the 2017 paper, put around a model whose own code knows nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.models.bert import Pooler
from core.models.rnn import Encoder, Readout, RecurrentDecoder
from core.nn.attention import MultiHeadAttention
from core.nn.feedforward import FeedForward

# The layers that lose numbers of what they write, and how wide that is.
WRITES: Mapping[type[nn.Module], Callable[[Any], int]] = {
    MultiHeadAttention: lambda layer: layer.w_o.out_features,
    FeedForward: lambda layer: layer.w_2.out_features,
    Readout: lambda layer: layer.w.out_features,
    Pooler: lambda layer: layer.out_features,
}
# Those that lose numbers of the rows that they are given first: each side its own, of one table.
READS: Mapping[type[nn.Module], Callable[[Any], int]] = {
    Encoder: lambda side: side.rnn[0].d_input,
    RecurrentDecoder: lambda side: side.readout.w.out_features,
}
_LEVELS = 256  # a number is dropped by a random byte


class Dropout:
    """Sets numbers to 0 at random where sub-layers write and where stacks begin.

    Vaswani et al. 2017, section 5.4: on the output of each sub-layer before it is added, and
    on the sums of embeddings and positions; once, where nothing is added to the embeddings either.
    In recurrent models on the rows of the token table that each side reads, and on what the output
    is read from (Zaremba et al. 2014: never from state to state); before a label is chosen, on the
    vector that it is chosen by.

    The masks sit in hooks, which do nothing outside ``training`` mode. They come from random
    bytes that are drawn before the step, a tenth of the cost of the compiler's own random
    numbers on a CPU, and the same whether a step is compiled or not; so the rate is a multiple
    of 1/256.

    Args:
        model: gets the hooks; its blueprint says where stacks begin.
        rate: share of the numbers that become 0; the others are divided by the rest.
        largest: what a task says of a batch: positions at most, over all its rows, or pictures,
            each of which becomes as many positions as it has patches.
        device: of the model.

    Raises:
        TypeError: the model has no such place.
    """

    def __init__(self, model: nn.Module, rate: float, largest: int, device: torch.device) -> None:
        self._dropped = round(rate * _LEVELS)
        self._noise: list[Tensor] = []
        largest *= _positions(model)
        for module, width, written in _places(model):
            noise = torch.zeros(largest * width, dtype=torch.uint8, device=device)
            self._noise.append(noise)
            if written:
                module.register_forward_hook(
                    lambda module, _args, out, noise=noise: self._drop(module, out, noise)
                )
            else:
                module.register_forward_pre_hook(
                    lambda module, args, noise=noise: (
                        self._drop(module, args[0], noise),
                        *args[1:],
                    )
                )
        if not self._noise:
            raise TypeError(f"dropout knows no place in a {type(model).__name__}")

    def draw(self, *seed: int) -> None:
        """New masks, which depend on the seed and on nothing else."""
        rng = np.random.default_rng(seed)
        for noise in self._noise:
            noise.copy_(torch.from_numpy(np.frombuffer(rng.bytes(len(noise)), np.uint8).copy()))

    def _drop(self, module: nn.Module, x: Tensor, noise: Tensor) -> Tensor:
        if not module.training:
            return x
        mask = noise[: x.numel()].view(x.shape) >= self._dropped
        return x * mask * (_LEVELS / (_LEVELS - self._dropped))


def _positions(model: Any) -> int:
    """Of one example as a task counts it: 1 of a token, of a picture its patches and their mark."""
    cut = (part.first + part.rows * part.columns for part in model.blueprint.patches)
    return max(cut, default=1)


def _places(model: Any) -> Iterator[tuple[nn.Module, int, bool]]:
    """Where numbers are dropped: the layer, how wide, and whether of what it writes or is given."""
    begins = {
        model.get_submodule(stack.block(0)): stack.d_model for stack in model.blueprint.stacks
    }
    for module in model.modules():
        if module in begins:
            yield module, begins[module], False
        for kinds, written in ((READS, False), (WRITES, True)):
            for kind, width in kinds.items():
                if isinstance(module, kind):
                    yield module, width(module), written
