"""Which weight is moved by what."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from core.models.registry import ARCHITECTURES
from core.training.optimisers import make_optimisers
from core.training.recipes import RECIPES

CPU = torch.device("cpu")
HIDDEN = ("w_q.weight", "w_k.weight", "w_v.weight", "w_o.weight", "w_1.weight", "w_2.weight")


@pytest.mark.parametrize("name", ["gpt", "bert", "transformer"])
def test_each_weight_has_one_optimiser_and_only_matrices_decay(name):
    recipe = RECIPES[name, "tiny"]
    model = ARCHITECTURES[recipe.architecture].model(recipe.network)
    names = {id(p): name for name, p in model.named_parameters()}
    adam, muon = make_optimisers(model, recipe.optimiser, CPU)
    found = [id(p) for o in (adam, muon) for g in o.param_groups for p in g["params"]]
    assert sorted(found) == sorted(names)
    hidden = {names[id(p)] for g in muon.param_groups for p in g["params"]}
    assert hidden == {n for n in names.values() if "blocks." in n and n.endswith(HIDDEN)}
    for group in (*adam.param_groups, *muon.param_groups):
        assert all((p.ndim >= 2) == (group["weight_decay"] > 0) for p in group["params"])
        assert group["peak_lr"] == recipe.optimiser.lr


def test_without_muon_adam_moves_all():
    recipe = RECIPES["transformer", "tiny"]
    model = ARCHITECTURES["transformer"].model(recipe.network)
    plain = dataclasses.replace(recipe.optimiser, muon=False, eps=1e-9)
    (adam,) = make_optimisers(model, plain, CPU)
    moved = [p for group in adam.param_groups for p in group["params"]]
    assert len(moved) == len(list(model.parameters()))
    assert {group["eps"] for group in adam.param_groups} == {1e-9}


def test_weights_that_begin_larger_or_smaller_move_in_proportion():
    """As they do with Adafactor: T5's tables and queries are 16 times and an eighth of the rest."""
    recipe = RECIPES["t5", "cpu"]
    model = ARCHITECTURES["t5"].model(recipe.network)
    rates = {
        id(p): group["peak_lr"]
        for one in make_optimisers(model, recipe.optimiser, CPU)
        for group in one.param_groups
        for p in group["params"]
    }
    lr, block = recipe.optimiser.lr, model.decoder.blocks[0]
    assert rates[id(model.words.weight)] == 16 * lr
    assert rates[id(block.attn.w_q.weight)] == rates[id(block.cross_attn.w_q.weight)] == lr / 8
    assert rates[id(block.attn.w_k.weight)] == rates[id(block.ln_1.weight)] == lr
    with torch.no_grad():
        block.attn.w_o.weight.zero_()  # as some begin: it has a rate all the same
    (group,) = [
        group
        for one in make_optimisers(model, recipe.optimiser, CPU)
        for group in one.param_groups
        if any(p is block.attn.w_o.weight for p in group["params"])
    ]
    assert group["peak_lr"] == lr
