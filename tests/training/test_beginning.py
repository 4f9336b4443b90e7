"""What a run begins with: drawn weights, those of the shelf, or those of another model."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from core import zoo
from core.checkpoints import native
from core.encoders import Encoders
from core.errors import CheckpointError, ParameterError
from core.models.gpt import GPT
from core.models.registry import ARCHITECTURES
from core.training.beginning import anew, as_before, take_shared, try_card
from core.training.cards import RUNS
from core.training.queue import next_job
from core.training.recipes import RECIPES
from tests.conftest import tiny_bert, tiny_gpt, tiny_sorter

RECIPE = RECIPES["gpt", "tiny"]


@pytest.fixture
def shelf(tmp_path, byte_bpe):
    """With a GPT of the recipe's network, but for the tokens it knows."""
    root = tmp_path / "zoo"
    model = GPT(replace(RECIPE.network, vocab_size=300), torch.Generator().manual_seed(5))
    metrics = {RUNS: [{"command": "", "note": "long ago", "commit": "", "minutes": 1,
                       "tokens": 1}]}  # fmt: skip
    native.save(root / "parent", "gpt", model, Encoders(byte_bpe), metrics=metrics,
                dtype=torch.float32)  # fmt: skip
    return root


def child(**network):
    """A recipe whose network has a block more than its parent."""
    config = replace(RECIPE.network, vocab_size=300, n_layers=3, **network)
    return replace(RECIPE, id="child", network=config, begins_from="parent")


def test_it_has_the_weights_and_the_tokenizer_of_the_model_it_begins_from(shelf, tmp_path):
    begun = anew(child(), tmp_path, tmp_path / "run", shelf, seed=0)
    parent = zoo.load("parent", "cpu", shelf)
    mine, theirs = begun.model.state_dict(), parent.model.state_dict()
    assert theirs.keys() < mine.keys()
    assert all(mine[name].equal(theirs[name]) for name in theirs)
    drawn = ARCHITECTURES["gpt"].model(child().network, torch.Generator().manual_seed(0))
    new = mine.keys() - theirs.keys()
    assert all(name.startswith("blocks.2.") for name in new)
    assert all(mine[name].equal(drawn.state_dict()[name]) for name in new)
    assert all(weight.requires_grad for weight in begun.model.parameters())
    assert begun.encoders.fingerprint == parent.encoders.fingerprint
    assert begun.runs == ()


def test_a_new_head_is_drawn_on_the_body_of_a_model_of_the_shelf(wordpiece, tmp_path):
    body = tiny_bert(vocab_size=wordpiece.vocab_size, n_ctx=48)
    native.save(tmp_path / "zoo" / "body", "bert", body, Encoders(wordpiece), dtype=torch.float32)
    network = tiny_sorter(vocab_size=wordpiece.vocab_size, n_ctx=48).config
    recipe = replace(RECIPES["bert_nli", "tiny"], network=network, begins_from="body")
    begun = anew(recipe, tmp_path, tmp_path / "run", tmp_path / "zoo", seed=0)
    mine, theirs = begun.model.state_dict(), body.state_dict()
    assert mine.keys() - theirs.keys() == {"classifier.weight", "classifier.bias"}
    assert "pooler.weight" in mine
    assert all(mine[name].equal(theirs[name]) for name in mine.keys() & theirs.keys())
    assert begun.encoders.fingerprint == Encoders(wordpiece).fingerprint


def test_its_card_says_what_it_began_with(shelf, tmp_path):
    card = try_card(anew(child(), tmp_path, tmp_path / "run", shelf, seed=0))
    assert "It began with what PARENT had learned, and reads as that does: see its card." in card
    assert "3 layers" in card


def test_a_network_that_does_not_fit_is_an_error_that_names_a_tensor(shelf, tmp_path):
    with pytest.raises(CheckpointError, match=r"tensor 'blocks.0.attn.w_k.bias' has shape"):
        anew(child(d_model=64), tmp_path, tmp_path / "run", shelf, seed=0)
    with pytest.raises(CheckpointError, match="no tensor of it belongs to the network"):
        take_shared(tiny_gpt(), {"other": torch.zeros(1)}, shelf)
    with pytest.raises(ParameterError, match="begins_from is 'parent'; it must be the id of"):
        anew(child(), tmp_path, tmp_path / "run", tmp_path, seed=0)


def test_the_queue_waits_for_what_a_recipe_begins_from():
    waits = replace(RECIPE, id="child", begins_from="parent")
    assert next_job([waits], {}, 60) is None
    job = next_job([waits], {"parent": [{"tokens": 1, "minutes": 1}]}, 60)
    assert job is not None
    assert (job.id, job.from_shelf) == ("child", False)


def test_of_a_run_that_is_only_noted_there_is_nothing_to_repeat(shelf):
    with pytest.raises(ParameterError, match="a run of which the card gives a command"):
        as_before(shelf, "parent", 1)


@pytest.mark.parametrize("key", RECIPES, ids=str)
def test_every_recipe_names_a_beginning_that_is_trained(key):
    assert RECIPES[key].begins_from is None or (RECIPES[key].begins_from, "cpu") in RECIPES
