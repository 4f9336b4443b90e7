"""Damaged texts, several tasks by turns, and what they are measured by."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from core.encoders import Encoders
from core.models.bart import BART
from core.models.t5 import T5
from core.text.hiding import IGNORED
from core.training.measures.mended import first_spans, hidden_pieces
from core.training.recipes import RECIPES
from core.training.tasks.mixed import turns
from core.training.tasks.task import Corpora
from core.zoo import LoadedModel

CPU = torch.device("cpu")


def corpora_of(name: str, directory, cache) -> Corpora:
    recipe = RECIPES[name, "tiny"]
    return Corpora(directory, cache, recipe.task.encoders(directory, recipe.network), seed=0)


def loaded(name: str, encoders: Encoders) -> LoadedModel:
    network = {"t5": T5, "bart": BART}[name]
    model = network(RECIPES[name, "tiny"].network, torch.Generator().manual_seed(0))
    return LoadedModel(
        name, name, model.eval().requires_grad_(False), encoders, "", {}, CPU
    )  # fmt: skip


@pytest.fixture(scope="module", params=["t5", "bart"])
def both(request, corpora_directory, tmp_path_factory):
    """A recipe of the tiny tier and the corpora as it reads them."""
    name = request.param
    return RECIPES[name, "tiny"], corpora_of(name, corpora_directory, tmp_path_factory.mktemp("c"))


def test_a_batch_has_one_shape_and_marks_where_they_belong(both):
    recipe, corpora = both
    task = getattr(recipe.task, "parts", (recipe.task,))[0]
    rows = task.read(corpora, "train")
    sizes = set()
    for batch in itertools.islice(rows.batches("stable"), 5):
        source, mask, target, expected = batch.examples
        sizes.add((source.shape, target.shape))
        assert (target[:, 1:][expected[:, :-1] != IGNORED]
                == expected[:, :-1][expected[:, :-1] != IGNORED]).all()  # fmt: skip
        end = corpora.tokenizer.mark("</s>")
        last = mask[:, 0, 0].sum(dim=-1) - 1
        assert (source[torch.arange(len(source)), last] == end).all()
        assert int((expected == end).any(dim=-1).sum()) == len(expected)
        assert max(source.numel(), target.numel()) <= recipe.task.largest
    assert len(sizes) == 1


def test_a_batch_follows_from_its_number(both):
    recipe, corpora = both
    examples = recipe.task.read(corpora, "train")
    first = list(itertools.islice(examples.batches("stable"), 6))
    again = list(itertools.islice(examples.batches("stable", 1, 2), 3))
    for one, other in zip(first[1::2], again, strict=True):
        assert all(map(torch.equal, one.examples, other.examples))
    cool = next(examples.batches("cool-down")).examples
    assert not all(map(torch.equal, first[0].examples, cool))


def test_turns_keep_to_the_shares():
    first = list(itertools.islice(turns((45, 50, 5)), 200))
    assert np.bincount([part for part, _ in first]).tolist() == [90, 100, 10]
    for part in range(3):
        assert [n for p, n in first if p == part] == list(range(len(first)))[: len(
            [1 for p, _ in first if p == part])]  # fmt: skip


def test_what_is_held_out_says_where_it_is_from(both):
    recipe, corpora = both
    held_out = list(recipe.task.read(corpora, "held_out").batches("stable"))
    assert "tinystories" in {batch.source for batch in held_out}
    assert all(batch.n > 0 for batch in held_out)


@pytest.fixture
def texts(corpora_directory):
    return [corpora_directory / "valid_wiki.txt.xz", corpora_directory / "valid_tinystories.txt.xz"]


def test_who_knows_every_text_fills_and_mends_all_of_them(both, texts, monkeypatch):
    """A machine that is told the right answer, and one that never gives it."""
    recipe, corpora = both
    model = loaded(recipe.id, corpora.encoders)
    of = {"t5": first_spans, "bart": hidden_pieces}[recipe.id]
    asked = {"rate": 0.15, "mean": 3.0} if recipe.id == "t5" else {"rate": 0.3}
    found = of(model, texts, **asked)
    assert set(found) == {
        f"{next(iter(found)).split('/')[0]}/{name}"
        for name in ("valid_wiki", "valid_tinystories", "pooled")
    }
    assert all(0 <= share < 0.2 for share in found.values())
    if recipe.id == "bart":
        said: list[torch.Tensor] = []

        def knows(source, target):
            # What comes after each token of the target, as the target itself goes on.
            logits = torch.zeros(*target.shape, model.model.config.vocab_size)
            logits[0, torch.arange(target.shape[1] - 1), target[0, 1:]] = 1.0
            said.append(source)
            return logits

        monkeypatch.setattr(model.model, "forward", knows)
        right = of(model, texts, **asked)
        assert all(share > 0.9 for share in right.values())  # all but what is hidden at the end
        assert said
