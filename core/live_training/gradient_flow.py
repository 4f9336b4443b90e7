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
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.errors import EmptyInputError, ParameterError
from core.inputs import Ids
from core.language import N_, Phrase
from core.live_training.records import KEPT, Flow, GradientFlow, Kept
from core.locale import Choice
from core.nn.blocks import PreNormBlock
from core.seeds import checked_seed
from core.tracing.tap import Recorder

if TYPE_CHECKING:
    from core.zoo import LoadedModel

MAX_TOKENS = 24  # the loss is that of the text's first tokens
MAX_DEPTH = 24
INIT_STD = 0.02  # Radford et al. 2018, section 4.1, and Devlin et al. 2019
OVER_ROOT = {"fan_in": 1.0, "larger": 1.5}  # over the root of how many inputs a matrix has

Blocks = Callable[[int], Any]
Through = Callable[[Any, Tensor, Kept], Tensor]


def gradient_flow(
    model: LoadedModel, text: str, depth: int = 0, seed: int = 0, spread: str = "fixed"
) -> GradientFlow:
    """Run the main stack four times and carry the loss's gradient down through each.

    The loss is the cross-entropy of the next token for a causal stack, of the
    tokens themselves for one that sees both sides. What stands outside the blocks
    (embeddings, last norm, output matrix) is the model's own in every case.

    Args:
        model: its blocks are used, or their shape.
        text: its first ``MAX_TOKENS`` tokens.
        depth: that many freshly initialised blocks; 0 for the model's own, trained ones.
        seed: of the fresh blocks.
        spread: standard deviation of the fresh blocks' weights: "fixed", ``INIT_STD``, or one of
            ``OVER_ROOT``.

    Raises:
        EmptyInputError: the text has no token of its own.
        ParameterError: nothing follows the text's only token, the model writes nothing for it,
            the depth is negative, or the seed or the spread is none.
    """
    seed = checked_seed(seed)
    if depth < 0:
        raise ParameterError("depth", depth, N_("0 or above"))
    if spread not in ("fixed", *OVER_ROOT):
        choices = Choice(["fixed", *OVER_ROOT])
        raise ParameterError("spread", spread, Phrase(N_("one of {choices}"), choices=choices))
    given = _text_ids(model, text)
    stack = model.blueprint.main
    ids, bottom, memory = _recorded(model, given)
    if stack.causal and ids.shape[1] < 2:  # a mean over no next token would be NaN
        raise ParameterError(
            "text", text[:40], N_("one that the model writes at least one token for")
        )
    blocks = _fresh(model, seed, spread) if depth else _own(model)
    n_blocks = min(depth, MAX_DEPTH) or stack.n_layers

    def through(block: Any, x: Tensor, kept: Kept) -> Tensor:
        return run_block(block, x, kept, causal=stack.causal, memory=memory)

    inputs = _forward(blocks, n_blocks, bottom, through)
    heads = [_head(model, ids, path[-1]) for path in inputs]
    gradients = _backward(blocks, inputs, [gradient for _, gradient in heads], through)
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
        spread=spread,
    )


def _text_ids(model: LoadedModel, text: str) -> list[int]:
    """The ids of a text's beginning, of which a loss can be made."""
    ids = model.encode(text)[:MAX_TOKENS]
    if len(ids) <= len(model.encode("")):
        raise EmptyInputError
    if len(ids) < 2 and model.blueprint.main.causal:  # no next token to predict
        raise ParameterError("text", text[:40], N_("at least two tokens long"))
    return ids


def _recorded(model: LoadedModel, given: Sequence[int]) -> tuple[Tensor, Tensor, Tensor | None]:
    """The main stream's ids, what its stack is given, and what that attends to besides."""
    blueprint = model.blueprint
    stack = blueprint.main
    bottom = f"{stack.block(0)}.resid_pre"
    source = next((one.output for one in blueprint.stacks if one.stream == stack.cross), None)
    prepared = model.prepare(Ids(tuple(given)))
    recorder = Recorder({bottom, source}.__contains__)
    with torch.no_grad():
        model.model.observe(prepared, recorder)
    values = {name: value.cpu().double() for name, value in recorder.values.items()}
    return prepared.tensors[stack.stream].cpu(), values[bottom], values.get(source or "")


def run_block(
    block: Any, x: Tensor, kept: Kept, *, causal: bool, memory: Tensor | None = None
) -> Tensor:
    """A block with its sums and norms kept or left out; with both kept, the block itself.

    Args:
        block: pre-norm or post-norm.
        x: ``(B, T, D)``.
        kept: what is kept.
        causal: its attention to itself is.
        memory: what it attends to besides, ``(B, S, D)``.
    """
    pre = isinstance(block, PreNormBlock)

    def sub_layer(x: Tensor, layer: Callable[[Tensor], Tensor], norm: Any) -> Tensor:
        out = layer(norm(x) if pre and kept.norms else x)
        out = x + out if kept.residual else out
        return norm(out) if kept.norms and not pre else out

    x = sub_layer(x, lambda y: block.attn(y, causal=causal), block.ln_1)
    if memory is not None:
        x = sub_layer(x, lambda y: block.cross_attn(y, memory), block.ln_cross)
    return sub_layer(x, block.ffn, block.ln_2)


def _exact(part: nn.Module, *without: nn.Module) -> Any:
    """A copy of a part of a model, in float64 on the CPU; what it is to do without is left out."""
    left_out: dict[int, Any] = {id(module): nn.ModuleList() for module in without}
    return copy.deepcopy(part, left_out).cpu().double().requires_grad_(False)


def _own(model: LoadedModel) -> Blocks:
    stack = model.blueprint.main
    return lambda index: _exact(model.model.get_submodule(stack.block(index)))


def _fresh(model: LoadedModel, seed: int, spread: str) -> Blocks:
    """Blocks of the model's shape: matrices drawn about 0, biases 0, gains 1."""
    first = model.model.get_submodule(model.blueprint.main.block(0))

    def make(index: int) -> Any:
        block = _exact(first)
        generator = torch.Generator().manual_seed(1000 * seed + index)
        with torch.no_grad():
            for name, parameter in block.named_parameters():
                if parameter.ndim >= 2:
                    std = _std(spread, fan_in=parameter[0].numel())
                    drawn = torch.empty(parameter.shape).normal_(0.0, std, generator=generator)
                    parameter.copy_(drawn)
                else:
                    parameter.fill_(0.0 if name.endswith("bias") else 1.0)
        return block

    return make


def _std(spread: str, fan_in: int) -> float:
    """The standard deviation of a matrix's weights, for rows of so many."""
    return INIT_STD if spread == "fixed" else OVER_ROOT[spread] / math.sqrt(fan_in)


def _forward(blocks: Blocks, n: int, x: Tensor, through: Through) -> list[list[Tensor]]:
    """The inputs of all blocks and the output of the last, for each stack: blocks are made once."""
    paths = [[x] for _ in KEPT]
    with torch.no_grad():
        for index in range(n):
            block = blocks(index)
            for kept, path in zip(KEPT, paths, strict=True):
                path.append(through(block, path[-1], kept))
    return paths


def _head(model: LoadedModel, ids: Tensor, top: Tensor) -> tuple[float, Tensor]:
    """The loss, in nats, and its gradient at the last block's output."""
    stacks = [model.model.get_submodule(stack.prefix) for stack in model.blueprint.stacks]
    exact = _exact(model.model, *stacks)
    with torch.enable_grad():
        top = top.clone().requires_grad_(True)
        logits = exact.unembed(top)[0]
        if model.blueprint.main.causal:
            logits, wanted = logits[:-1], ids[0, 1:]
        else:
            wanted = ids[0]
        loss = F.cross_entropy(logits, wanted)
        (gradient,) = torch.autograd.grad(loss, top)
    return loss.item(), gradient


def _backward(
    blocks: Blocks, inputs: Sequence[list[Tensor]], tops: Sequence[Tensor], through: Through
) -> list[list[Tensor]]:
    """The gradient at every block's input, for all stacks together: each block is made once."""
    found = [[top] for top in tops]
    for index in reversed(range(len(inputs[0]) - 1)):
        block = blocks(index)
        for kept, path, gradients in zip(KEPT, inputs, found, strict=True):
            with torch.enable_grad():
                x = path[index].clone().requires_grad_(True)
                (gradient,) = torch.autograd.grad(through(block, x, kept), x, gradients[0])
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
