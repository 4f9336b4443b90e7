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
