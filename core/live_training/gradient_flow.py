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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.errors import EmptyInputError, ParameterError
from core.inputs import Ids
from core.language import N_, Phrase
from core.live_training.records import (
    KEPT,
    Floats,
    KeptParts,
    OnTheWayDown,
    OnTheWayUp,
    OnTop,
    Stacks,
)
from core.locale import Choice
from core.models.parts import Stack
from core.models.prepared import Prepared
from core.seeds import checked_seed
from core.shaped.gpt import OVER_ROOT, over_depth
from core.tracing.tap import Recorder

if TYPE_CHECKING:
    from core.zoo import LoadedModel

MAX_TOKENS = 24  # the loss is that of the text's first tokens
MAX_DEPTH = 24
INIT_STD = 0.02  # Radford et al. 2018, section 4.1, and Devlin et al. 2019
NOTHING: Mapping[nn.Module, nn.Module] = MappingProxyType({})

Blocks = Callable[[int], Any]
Through = Callable[[Any, Tensor, KeptParts], Tensor]
Record = Stacks | OnTheWayUp | OnTop | OnTheWayDown


def gradient_flow(
    model: LoadedModel, text: str, depth: int = 0, seed: int = 0, spread: str = "fixed"
) -> Iterator[Record]:
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

    Returns:
        what the stacks are, then block by block what goes up, the losses, and what comes down.

    Raises:
        EmptyInputError: the text has no token of its own.
        ParameterError: nothing follows the text's only token, the model writes nothing for it,
            the depth is negative, or the seed or the spread is none.
        NoWordsError: the model predicts none.
    """
    seed = checked_seed(seed)
    if depth < 0:
        raise ParameterError("depth", depth, N_("0 or above"))
    if spread not in ("fixed", *OVER_ROOT):
        choices = Choice(["fixed", *OVER_ROOT])
        raise ParameterError("spread", spread, Phrase(N_("one of {choices}"), choices=choices))
    stack = model.blueprint.main
    prepared = model.prepare(Ids(tuple(_text_ids(model, text))))
    ids = prepared.tensors[stack.stream].cpu()
    if stack.causal and ids.shape[1] < 2:  # a mean over no next token would be NaN
        raise ParameterError(
            "text", text[:40], N_("one that the model writes at least one token for")
        )
    blocks = _fresh(model, seed, spread, depth) if depth else _blocks_of(model)
    n_blocks = min(depth, MAX_DEPTH) or stack.n_layers
    yield Stacks(ids.shape[1], n_blocks, fresh=bool(depth), spread=spread)
    bottom, beside = _recorded(model, prepared)

    def through(block: Any, x: Tensor, parts: KeptParts) -> Tensor:
        return run_block(block, x, parts, stack, beside)

    paths = [[bottom] for _ in KEPT]
    yield from _up(blocks, n_blocks, paths, through)
    losses, tops = _losses(model, prepared, [path[-1] for path in paths])
    yield OnTop(losses)
    yield from _down(blocks, paths, tops, through)


def _text_ids(model: LoadedModel, text: str) -> list[int]:
    """The ids of a text's beginning, of which a loss can be made."""
    ids = model.encode(text)[:MAX_TOKENS]
    if len(ids) <= len(model.encode("")):
        raise EmptyInputError
    if len(ids) < 2 and model.blueprint.main.causal:  # no next token to predict
        raise ParameterError("text", text[:40], N_("at least two tokens long"))
    return ids


@dataclass(frozen=True, eq=False)
class BlockContext:
    """What the blocks of a stack read besides what the one before hands on.

    Attributes:
        memory: what they attend to in another stream, ``(B, S, D)``.
        bias: what they add to the scores of their attention to themselves.
    """

    memory: Tensor | None = None
    bias: Tensor | None = None


def _recorded(model: LoadedModel, prepared: Prepared) -> tuple[Tensor, BlockContext]:
    """What the main stack is given in the model's own run."""
    stack = model.blueprint.main
    bottom = f"{stack.block(0)}.resid_pre"
    memory = None if stack.cross is None else model.blueprint.encoded
    recorder = Recorder({bottom, memory, stack.bias}.__contains__)
    with torch.no_grad():
        model.model.observe(prepared, recorder)
    values = {name: value.cpu().double() for name, value in recorder.values.items()}
    return values[bottom], BlockContext(values.get(memory or ""), values.get(stack.bias or ""))


def run_block(
    block: Any, x: Tensor, parts: KeptParts, stack: Stack, beside: BlockContext = BlockContext()
) -> Tensor:
    """A block with its sums and norms kept or left out; with both kept, the block itself.

    Args:
        block: of the stack.
        x: ``(B, T, D)``.
        parts: what is kept.
        stack: where its norms stand, and whether its attention to itself is causal.
        beside: what it reads besides.
    """
    pre = stack.arrangement == "pre"

    def sub_layer(x: Tensor, layer: Callable[[Tensor], Tensor], norm: Any) -> Tensor:
        out = layer(norm(x) if pre and parts.norms else x)
        out = x + out if parts.residual else out
        return norm(out) if parts.norms and not pre else out

    x = sub_layer(x, lambda y: block.attn(y, causal=stack.causal, bias=beside.bias), block.ln_1)
    if stack.cross is not None:
        x = sub_layer(x, lambda y: block.cross_attn(y, beside.memory), block.ln_cross)
    return sub_layer(x, block.ffn, block.ln_2)


def _exact(part: nn.Module, instead: Mapping[nn.Module, nn.Module] = NOTHING) -> Any:
    """A copy of a part of a model, in float64 on the CPU.

    Args:
        part: of it.
        instead: what the copy has in place of parts of that part.
    """
    others: dict[int, Any] = {id(module): other for module, other in instead.items()}
    return copy.deepcopy(part, others).cpu().double().requires_grad_(False)


def _blocks_of(model: LoadedModel) -> Blocks:
    stack = model.blueprint.main
    return lambda index: _exact(model.model.get_submodule(stack.block(index)))


def _fresh(model: LoadedModel, seed: int, spread: str, depth: int) -> Blocks:
    """So many blocks of the model's shape: matrices drawn about 0, biases 0, gains 1."""
    first = model.model.get_submodule(model.blueprint.main.block(0))

    def make(index: int) -> Any:
        block = _exact(first)
        generator = torch.Generator().manual_seed(1000 * seed + index)
        with torch.no_grad():
            for name, parameter in block.named_parameters():
                if parameter.ndim >= 2:
                    std = _std(spread, fan_in=parameter[0].numel())
                    std /= over_depth(spread, name, depth)
                    drawn = torch.empty(parameter.shape).normal_(0.0, std, generator=generator)
                    parameter.copy_(drawn)
                else:
                    parameter.fill_(0.0 if name.endswith("bias") else 1.0)
        return block

    return make


def _std(spread: str, fan_in: int) -> float:
    """The standard deviation of a matrix's weights, for rows of so many."""
    return INIT_STD if spread == "fixed" else OVER_ROOT[spread] / math.sqrt(fan_in)


def _up(
    blocks: Blocks, n: int, paths: Sequence[list[Tensor]], through: Through
) -> Iterator[OnTheWayUp]:
    """Add to each stack's path what the blocks hand on, one after the other: each is made once."""
    yield _measured(paths)
    for index in range(n):
        block = blocks(index)
        with torch.no_grad():
            for parts, path in zip(KEPT, paths, strict=True):
                path.append(through(block, path[-1], parts))
        yield _measured(paths)


def _measured(paths: Sequence[list[Tensor]]) -> OnTheWayUp:
    """What there is to say of the last that each path has."""
    vectors = [path[-1][0] for path in paths]
    return OnTheWayUp(
        size=np.array([float(vector.norm(dim=-1).mean()) for vector in vectors]),
        alike=np.array([_alike(vector) for vector in vectors]),
    )


def _losses(
    model: LoadedModel, prepared: Prepared, tops: Sequence[Tensor]
) -> tuple[Floats, list[Tensor]]:
    """The loss of each stack, in nats, and its gradient at what the last block hands on.

    The rest of the model runs as it always does, but of its blocks: of each stack there is one,
    and what that of the main stack hands on gives way to what our own stack has handed on.
    """
    blueprint, network = model.blueprint, model.model
    lists = [network.get_submodule(stack.prefix) for stack in blueprint.stacks]
    exact = _exact(network, {layers: nn.ModuleList([_exact(layers[0])]) for layers in lists})
    ids = prepared.tensors[blueprint.main.stream][0].cpu()
    losses: list[float] = []
    last: list[Tensor] = []
    for top in tops:
        with torch.enable_grad():
            x = top.clone().requires_grad_(True)
            handed_on = {blueprint.main.output_of(0): lambda _value, _step, x=x: x}
            recorder = Recorder({blueprint.head.site}.__contains__, handed_on)
            exact.observe(prepared, recorder)
            logits = recorder.values[blueprint.head.site][0]
            if blueprint.main.causal:
                loss = F.cross_entropy(logits[:-1], ids[1:])
            else:
                loss = F.cross_entropy(logits, ids)
            last += torch.autograd.grad(loss, x)
        losses.append(loss.item())
    return np.array(losses), last


def _down(
    blocks: Blocks, paths: Sequence[list[Tensor]], gradients: list[Tensor], through: Through
) -> Iterator[OnTheWayDown]:
    """The gradient at every block's input, for all stacks together: each block is made once."""
    yield OnTheWayDown(np.array([float(gradient.norm()) for gradient in gradients]))
    for index in reversed(range(len(paths[0]) - 1)):
        block = blocks(index)
        for n, (parts, path) in enumerate(zip(KEPT, paths, strict=True)):
            with torch.enable_grad():
                x = path[index].clone().requires_grad_(True)
                (gradients[n],) = torch.autograd.grad(through(block, x, parts), x, gradients[n])
        yield OnTheWayDown(np.array([float(gradient.norm()) for gradient in gradients]))


def _alike(vectors: Tensor) -> float:
    """Mean cosine between different rows; 1 for a single one."""
    n = len(vectors)
    if n < 2:
        return 1.0
    # The size is taken out first: squares of very small numbers would vanish.
    largest = vectors.abs().amax(dim=-1, keepdim=True).clamp_min(torch.finfo(vectors.dtype).tiny)
    unit = F.normalize(vectors / largest, dim=-1)
    return (float((unit @ unit.T).sum()) - n) / (n * (n - 1))
