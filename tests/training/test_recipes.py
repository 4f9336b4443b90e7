"""The recipe table: sizes, shares and what they add up to."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import torch

from core.models.bert import BERT, BERTConfig
from core.models.gpt import GPT
from core.training.data import Mixture
from core.training.loop import make_optimisers, make_schedule
from core.training.recipes import RECIPES

# What ships, to the number; a change of sizes is seen here.
PARAMETERS = {
    ("gpt", "cpu"): 6_901_760,
    ("gpt", "cpu-longer"): 6_901_760,
    ("gpt", "cpu-512"): 6_967_296,
    ("gpt", "cpu-longest"): 6_901_760,
    ("gpt", "cpu-longest-512"): 6_967_296,
    ("gpt", "cpu-taught"): 6_967_296,
    ("gpt", "cpu-retaught"): 6_967_296,
    ("gpt", "cpu-polished"): 6_967_296,
    ("gpt", "gpu"): 17_538_816,
    ("gpt", "tiny"): 42_880,
    ("bert", "cpu"): 7_010_306,
    ("bert", "cpu-longer"): 7_010_306,
    ("bert", "gpu"): 17_697_538,
    ("bert", "tiny"): 45_698,
}


def by_hand(config) -> int:
    """The parameters of a GPT or BERT, part by part."""
    v, d, f = config.vocab_size, config.d_model, config.d_ff
    norm = 2 * d
    block = 4 * (d * d + d) + (d * f + f) + (f * d + d) + 2 * norm
    shared = v * d + config.n_ctx * d + config.n_layers * block
    if not isinstance(config, BERTConfig):
        return shared + norm
    words = (d * d + d) + norm + v
    return shared + config.n_types * d + norm + words + (d * d + d) + (2 * d + 2)


def build(recipe) -> torch.nn.Module:
    with torch.device("meta"):
        return (BERT if isinstance(recipe.config, BERTConfig) else GPT)(recipe.config)


def test_every_recipe_is_counted():
    assert RECIPES.keys() == PARAMETERS.keys()


@pytest.mark.parametrize("key", RECIPES, ids=str)
def test_parameters(key):
    assert sum(p.numel() for p in build(RECIPES[key]).parameters()) == PARAMETERS[key]
    assert by_hand(RECIPES[key].config) == PARAMETERS[key]


@pytest.mark.parametrize("key", RECIPES, ids=str)
def test_shipped_files_stay_under_45_megabytes(key):
    assert 2 * PARAMETERS[key] < 45e6  # bfloat16


@pytest.mark.parametrize("key", RECIPES, ids=str)
def test_a_recipe_is_of_one_piece(key):
    recipe = RECIPES[key]
    assert (recipe.model, recipe.tier) == key
    assert recipe.rows % recipe.micro_rows == 0
    assert recipe.config.n_heads * 64 == recipe.config.d_model or recipe.tier == "tiny"
    assert len({source.name for source in recipe.sources}) == len(recipe.sources)
    assert all(source.weight > 0 for source in recipe.sources)
    shares = [share for share, _ in recipe.ramp]
    assert shares == sorted(shares)
    assert all(0 < share < 1 for share in shares)
    assert 0 <= recipe.repeats < 0.2
    for mix in recipe.late:
        assert len(mix.weights) == len(recipe.sources)
        assert mix.first_row % Mixture.BLOCK == 0
    assert all(0 <= source.dropout < 1 for source in recipe.sources)
    assert 0 <= recipe.kept < 1
    assert recipe.after is not None or not recipe.kept
    if recipe.kept_of is not None:
        assert recipe.kept
        assert recipe.teaching is not None
        assert recipe.kept_of in recipe.teaching.tiers
    if recipe.after is not None:  # its weights must fit, and the card lines the sources up
        before = RECIPES[recipe.model, recipe.after]
        assert before.config.n_ctx <= recipe.config.n_ctx
        assert replace(before.config, n_ctx=recipe.config.n_ctx) == recipe.config
        assert [s.name for s in before.sources] == [s.name for s in recipe.sources]
    if recipe.teaching is not None:
        teaching, names = recipe.teaching, [source.name for source in recipe.sources]
        assert 0 < teaching.rows < recipe.micro_rows
        assert teaching.prompts in names
        assert set(teaching.first) <= {*names, "written"}
        assert 0 < teaching.share < 1 - recipe.repeats
        for tier in teaching.tiers:
            teacher = RECIPES[recipe.model, tier].config
            assert teacher.n_ctx <= recipe.config.n_ctx
            assert replace(teacher, n_ctx=recipe.config.n_ctx) == recipe.config
    for steps in (1, 10, 5000):
        assert make_schedule(steps, recipe.optimiser).n_steps == steps


def test_every_licence_lets_us_ship_weights():
    free = re.compile(r"CC0|CC BY(-SA)? ?\d?|public domain|CDLA-Sharing")
    for recipe in RECIPES.values():
        for source in recipe.sources:
            assert free.match(source.licence), source
            assert source.credit
            assert "capitals_templates" not in source.file


@pytest.mark.parametrize("key", [("gpt", "tiny"), ("bert", "tiny")], ids=str)
def test_each_weight_has_one_optimiser_and_only_matrices_decay(key):
    recipe = RECIPES[key]
    model = (BERT if key[0] == "bert" else GPT)(recipe.config)
    names = {id(p): name for name, p in model.named_parameters()}
    adam, muon = make_optimisers(model, recipe.optimiser, torch.device("cpu"))
    found = [id(p) for o in (adam, muon) for g in o.param_groups for p in g["params"]]
    assert sorted(found) == sorted(names)
    hidden = {names[id(p)] for g in muon.param_groups for p in g["params"]}
    assert hidden == {n for n in names.values() if "blocks." in n and n.endswith(
        ("w_qkv.weight", "w_o.weight", "w_1.weight", "w_2.weight"))}  # fmt: skip
    for group in (*adam.param_groups, *muon.param_groups):
        assert all((p.ndim >= 2) == (group["weight_decay"] > 0) for p in group["params"])
