"""How much of the loss's gradient reaches the bottom of a stack, with and without sums and norms.

The gradient is carried down one block at a time, as the chain rule says: each
block is run again from its recorded input, and the gradient at its output times
its Jacobian is the gradient at its input. So a deep stack never stands in
memory as a whole, and freshly initialised blocks are drawn when they are needed.
Everything is computed in float64: without sums and norms the gradient of a dozen
blocks is far below what float32 can hold. And on the CPU: Apple's GPUs have no float64.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from core.errors import EmptyInputError, ParameterError
from core.language import N_
from core.nn.blocks import PreNormBlock
from core.seeds import checked_seed

if TYPE_CHECKING:
    from core.zoo import LoadedModel

MAX_TOKENS = 24  # the loss is that of the text's first tokens
MAX_DEPTH = 24
INIT_STD = 0.02  # Radford et al. 2018, section 4.1, and Devlin et al. 2019

Blocks = Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class Stack:
    """Which parts of the blocks are kept.

    Attributes:
        residual: each sub-layer's output is added to its input; else it replaces it.
        norms: the blocks' norms are applied; else left out.
    """

    residual: bool
    norms: bool


STACKS = (Stack(True, True), Stack(True, False), Stack(False, True), Stack(False, False))


@dataclass(frozen=True, eq=False)
class Flow:
    """One stack. Arrays run over the inputs of block 0, 1, ... and the output of the last.

    Attributes:
        gradient: norm of d loss / d x over all positions and components, ``(N + 1,)``.
        size: mean length of the positions' vectors, ``(N + 1,)``.
        alike: mean cosine between the vectors of different positions, ``(N + 1,)``.
        loss: nats a token.
    """

    gradient: NDArray[np.float64]
    size: NDArray[np.float64]
    alike: NDArray[np.float64]
    loss: float


@dataclass(frozen=True, eq=False)
class GradientFlow:
    """The four stacks on one text.

    Attributes:
        flows: one a member of ``STACKS``.
        n_tokens: of the text that were used.
        depth: blocks.
        fresh: they are freshly initialised, not the model's own.
    """

    flows: tuple[Flow, ...]
    n_tokens: int
    depth: int
    fresh: bool

    @property
    def nbytes(self) -> int:
        return 4 * 3 * 8 * (self.depth + 1)


def gradient_flow(model: LoadedModel, text: str, depth: int = 0, seed: int = 0) -> GradientFlow:
    """Run the four stacks and carry the loss's gradient down through each.

    The loss is the cross-entropy of the next token for a causal model, of the
    tokens themselves for a masked one. What stands outside the blocks
    (embeddings, last norm, output matrix) is the model's own in every case.

    Args:
        model: its blocks are used, or their shape.
        text: its first ``MAX_TOKENS`` tokens.
        depth: that many freshly initialised blocks; 0 for the model's own, trained ones.
        seed: of the fresh blocks.

    Raises:
        EmptyInputError: the text has no token of its own.
        ParameterError: nothing follows the text's only token, the depth is negative, or the seed
            is none.
    """
    network, seed = model.model, checked_seed(seed)
    if depth < 0:
        raise ParameterError("depth", depth, N_("0 or above"))
    ids = torch.tensor([_text_ids(model, text)], device=model.device)
    blocks = _own(network) if not depth else _fresh(network, seed)
    n_blocks = min(depth, MAX_DEPTH) or model.config.n_layers
    causal = network.topology.causal
    with torch.no_grad():
        bottom = network.embed(ids).cpu().double()
    inputs = _forward(blocks, n_blocks, bottom, causal)
    heads = [_head(network, ids, path[-1]) for path in inputs]
    gradients = _backward(blocks, inputs, [gradient for _, gradient in heads], causal)
    return GradientFlow(
        flows=tuple(
            Flow(
                gradient=np.array([float(g.norm()) for g in of_stack]),
                size=np.array([float(x[0].norm(dim=-1).mean()) for x in path]),
                alike=np.array([_alike(x[0]) for x in path]),
                loss=loss,
            )
            for of_stack, path, (loss, _) in zip(gradients, inputs, heads, strict=True)
        ),
        n_tokens=ids.shape[1],
        depth=n_blocks,
        fresh=bool(depth),
    )


def _text_ids(model: LoadedModel, text: str) -> list[int]:
    """The ids of a text's beginning, of which a loss can be made."""
    ids = model.encode(text)[:MAX_TOKENS]
    if len(ids) <= len(model.encode("")):
        raise EmptyInputError
    if len(ids) < 2 and model.model.topology.causal:  # no next token to predict
        raise ParameterError("text", text[:40], N_("at least two tokens long"))
    return ids


def run_block(block: Any, x: Tensor, stack: Stack, *, causal: bool) -> Tensor:
    """A block with its sums and norms kept or left out; with both kept, the block itself.

    Args:
        block: pre-norm or post-norm.
        x: ``(B, T, D)``.
    """
    pre = isinstance(block, PreNormBlock)

    def sub_layer(x: Tensor, layer: Callable[[Tensor], Tensor], norm: Any) -> Tensor:
        out = layer(norm(x) if pre and stack.norms else x)
        out = x + out if stack.residual else out
        return norm(out) if stack.norms and not pre else out

    x = sub_layer(x, lambda y: block.attn(y, causal=causal), block.ln_1)
    return sub_layer(x, block.ffn, block.ln_2)


def _exact(part: nn.Module) -> Any:
    """A copy of a part of a model, in float64 on the CPU."""
    return copy.deepcopy(part).cpu().double().requires_grad_(False)


def _own(network: Any) -> Blocks:
    return lambda index: _exact(network.blocks[index])


def _fresh(network: Any, seed: int) -> Blocks:
    """Blocks of the model's shape: matrices from N(0, 0.02), biases 0, gains 1."""

    def make(index: int) -> Any:
        block = _exact(network.blocks[0])
        generator = torch.Generator().manual_seed(1000 * seed + index)
        with torch.no_grad():
            for name, parameter in block.named_parameters():
                if parameter.ndim >= 2:
                    drawn = torch.empty(parameter.shape).normal_(0.0, INIT_STD, generator=generator)
                    parameter.copy_(drawn)
                else:
                    parameter.fill_(0.0 if name.endswith("bias") else 1.0)
        return block

    return make


def _forward(blocks: Blocks, n: int, x: Tensor, causal: bool) -> list[list[Tensor]]:
    """The inputs of all blocks and the output of the last, for each stack: blocks are made once."""
    paths = [[x] for _ in STACKS]
    with torch.no_grad():
        for index in range(n):
            block = blocks(index)
            for stack, path in zip(STACKS, paths, strict=True):
                path.append(run_block(block, path[-1], stack, causal=causal))
    return paths


def _head(network: Any, ids: Tensor, top: Tensor) -> tuple[float, Tensor]:
    """The loss, in nats, and its gradient at the last block's output."""
    table, ids = network.embed.tokens.weight.cpu().double(), ids.cpu()
    with torch.enable_grad():
        top = top.clone().requires_grad_(True)
        if network.topology.head == "masked_token":
            logits, wanted = _exact(network.mlm)(top, table)[0], ids[0]
        else:
            normed = _exact(network.final_norm)(top)
            logits, wanted = F.linear(normed, table)[0, :-1], ids[0, 1:]
        loss = F.cross_entropy(logits, wanted)
        (gradient,) = torch.autograd.grad(loss, top)
    return loss.item(), gradient


def _backward(
    blocks: Blocks, inputs: Sequence[list[Tensor]], tops: Sequence[Tensor], causal: bool
) -> list[list[Tensor]]:
    """The gradient at every block's input, for all stacks together: each block is made once."""
    found = [[top] for top in tops]
    for index in reversed(range(len(inputs[0]) - 1)):
        block = blocks(index)
        for stack, path, gradients in zip(STACKS, inputs, found, strict=True):
            with torch.enable_grad():
                x = path[index].clone().requires_grad_(True)
                out = run_block(block, x, stack, causal=causal)
                (gradient,) = torch.autograd.grad(out, x, gradients[0])
            gradients.insert(0, gradient)
    return found


def _alike(vectors: Tensor) -> float:
    """Mean cosine between different rows; 1 for a single one."""
    n = len(vectors)
    if n < 2:
        return 1.0
    # The size is taken out first: squares of very small numbers would vanish.
    largest = vectors.abs().amax(dim=-1, keepdim=True).clamp_min(torch.finfo(vectors.dtype).tiny)
    unit = F.normalize(vectors / largest, dim=-1)
    return (float((unit @ unit.T).sum()) - n) / (n * (n - 1))
