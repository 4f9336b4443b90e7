"""Dropout: where it acts, what it draws, and that it leaves a judged model alone."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from core.models.bert import Pooler
from core.models.blueprint import Blueprint
from core.models.registry import ARCHITECTURES
from core.models.rnn import Encoder, RecurrentDecoder
from core.nn.attention import MultiHeadAttention
from core.nn.feedforward import FeedForward
from core.training.dropout import Dropout
from core.training.recipes import RECIPES

CPU = torch.device("cpu")
SIZES = (3, 12)
TWO_SIDED = ("transformer", "t5", "rnn", "rnn_attention", "rnn_self")


def network(name: str) -> nn.Module:
    recipe = RECIPES[name, "tiny"]
    generator = torch.Generator().manual_seed(0)
    return ARCHITECTURES[recipe.architecture].model(recipe.network, generator)


def inputs(name: str) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(0)
    draw = [torch.randint(5, 500, SIZES, generator=generator) for _ in range(2)]
    return tuple(draw) if name in TWO_SIDED else (draw[0],)


def dropped(model: nn.Module, rate: float, *seed: int) -> Dropout:
    dropout = Dropout(model, rate, SIZES[0] * SIZES[1], CPU)
    dropout.draw(*seed)
    return dropout


@pytest.mark.parametrize(
    ("name", "places"),
    # Two sub-layers in each of two blocks, and where the stack begins; 2 + 3, and two stacks; one
    # block, and the vector that a label is chosen by.
    [("gpt", 5), ("bert", 5), ("transformer", 7), ("bert_sentiment", 4)],
)
def test_every_sub_layer_and_every_stack_loses_its_own_numbers(name, places):
    model = network(name).train()
    dropped(model, 0.25, 1)
    seen: list[torch.Tensor] = []
    for module in model.modules():
        if isinstance(module, MultiHeadAttention | FeedForward | Pooler):
            module.register_forward_hook(lambda _m, _args, out: seen.append(out == 0))
        elif isinstance(module, nn.ModuleList):
            module[0].register_forward_pre_hook(lambda _m, args: seen.append(args[0] == 0))
    model(*inputs(name))
    assert len(seen) == places
    for zeros in seen:
        assert zeros.float().mean() == pytest.approx(0.25, abs=0.05)
    assert all(not torch.equal(a, b) for n, a in enumerate(seen) for b in seen[:n])


@pytest.mark.parametrize("name", ["gpt", "bert", "transformer", "t5"])
def test_what_a_stack_is_given_was_dropped_once(name):
    """T5 adds nothing to the rows of its table, which must not be dropped as rows and as a sum."""
    model = network(name).train()
    dropped(model, 0.25, 1)
    seen: list[torch.Tensor] = []
    stacks = [model.get_submodule(stack.block(0)) for stack in model.blueprint.stacks]
    for block in stacks:
        block.register_forward_pre_hook(lambda _m, args: seen.append(args[0] == 0))
    model(*inputs(name))
    assert len(seen) == len(stacks)
    for zeros in seen:
        assert zeros.float().mean() == pytest.approx(0.25, abs=0.05)


@pytest.mark.parametrize("name", ["t5", "transformer", "rnn", "rnn_attention", "rnn_self"])
def test_two_sides_that_read_one_text_lose_other_numbers_of_it(name):
    model = network(name).train()
    dropped(model, 0.25, 1)
    seen: list[torch.Tensor] = []
    sides = [model.get_submodule(side) for side in ("encoder", "decoder")]
    for side in sides:
        first = side if isinstance(side, Encoder | RecurrentDecoder) else side.blocks[0]
        first.register_forward_pre_hook(lambda _m, args: seen.append(args[0].detach() == 0))
    ids = inputs(name)[0]
    model(ids, ids)
    source, target = seen
    for zeros in seen:
        assert zeros.float().mean() == pytest.approx(0.25, abs=0.05)
    # Of two draws a share of 0.25² is dropped in both; of one drawn once, 0.25.
    assert (source & target).float().mean() == pytest.approx(0.0625, abs=0.03)


@pytest.mark.parametrize("name", ["gpt", "bert", *TWO_SIDED])
def test_outside_training_nothing_changes(name):
    model = network(name).eval()
    plain = model(*inputs(name))
    dropped(model, 0.5, 1)
    assert torch.equal(model(*inputs(name)), plain)
    assert not torch.allclose(model.train()(*inputs(name)), plain)


def test_a_picture_is_as_many_positions_as_it_has_patches(vit):
    """A task counts pictures: two of them, of six patches and their mark."""
    model = copy.deepcopy(vit.model).train()
    Dropout(model, 0.5, 2, CPU).draw(1)
    seen = []
    model.blocks[0].attn.register_forward_hook(lambda _m, _args, out: seen.append(out == 0))
    model(torch.zeros(2, 1, 8, 12, dtype=torch.float64))
    assert seen[0].shape[:2] == (2, 7)
    assert seen[0].float().mean() == pytest.approx(0.5, abs=0.15)


class Ones(FeedForward):
    """One place, which writes ones."""

    blueprint = Blueprint(())

    def __init__(self, width: int) -> None:
        nn.Module.__init__(self)
        self.w_2 = nn.Linear(1, width, bias=False)
        nn.init.ones_(self.w_2.weight)

    def forward(self, n: int) -> torch.Tensor:
        return self.w_2(torch.ones(1, n, 1))


def test_the_mean_is_kept_and_the_seed_decides():
    """Inverted dropout: what is kept is divided by its share."""
    model = Ones(1000).train()
    dropout = Dropout(model, 0.1, 200, CPU)

    def drawn(*seed: int) -> torch.Tensor:
        dropout.draw(*seed)
        return model(200).detach().clone()

    first = drawn(0, 7)
    rate = round(0.1 * 256) / 256
    assert first.unique().tolist() == pytest.approx([0.0, 1 / (1 - rate)])
    assert first.mean().item() == pytest.approx(1.0, abs=0.005)
    assert (first == 0).float().mean().item() == pytest.approx(rate, abs=0.005)
    assert torch.equal(first, drawn(0, 7))
    assert not torch.equal(first, drawn(0, 8))


def test_a_dropped_number_gets_no_gradient():
    model = Ones(64).train()
    Dropout(model, 0.5, 1, CPU).draw(3)
    out = model(1)
    out.sum().backward()
    assert torch.equal(model.w_2.weight.grad[:, 0] == 0, out[0, 0] == 0)


def test_a_model_without_such_a_place_is_a_bug_that_is_seen(cnn):
    with pytest.raises(TypeError, match="dropout knows no place in a CNN"):
        Dropout(cnn.model, 0.1, 8, CPU)
