"""What is put on the shelf, and what is not."""

from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path

import pytest
import torch

from core import zoo
from core.checkpoints import native
from core.encoders import Encoders
from core.errors import CheckpointError
from core.models.gpt import GPT
from core.training import finish
from core.training.cards import RUNS
from core.training.finish import commit, shelve
from core.training.recipe import Standard
from core.training.recipes import RECIPES
from core.training.rundir import MODEL
from tests.conftest import tiny_gpt

RECIPE = dataclasses.replace(
    RECIPES["gpt", "tiny"],
    standard=Standard(("bits/a", "bits/b"), lower=True, at_most={"bits/a": 1.5}),
)


def leave(run: Path, byte_bpe, seed: int, **metrics: float) -> Path:
    """A run's model with these figures."""
    model = GPT(tiny_gpt().config, torch.Generator().manual_seed(seed))
    named = {name.replace("_", "/"): value for name, value in metrics.items()}
    whole = {**named, RUNS: []} if metrics else {}
    native.save(run / MODEL, "gpt", model, Encoders(byte_bpe), card=f"card {seed}", metrics=whole)
    return run


def on(shelf: Path) -> str:
    return zoo.load("gpt", "cpu", root=shelf).card


def test_a_better_model_takes_the_place_of_the_old_one(tmp_path, byte_bpe):
    shelf = tmp_path / "zoo"
    first = leave(tmp_path / "1", byte_bpe, 1, bits_a=1.4, bits_b=2.0)
    assert shelve(RECIPE, first, shelf).shelved
    assert on(shelf) == "card 1"
    # Worse in one, better in the mean of both.
    better = leave(tmp_path / "2", byte_bpe, 2, bits_a=1.45, bits_b=1.9)
    assert shelve(RECIPE, better, shelf).shelved
    assert on(shelf) == "card 2"
    stored, shipped = (zoo.load(str(p), "cpu") for p in (better / MODEL, shelf / "gpt"))
    assert stored.fingerprint == shipped.fingerprint
    assert stored.metrics == shipped.metrics


@pytest.mark.parametrize(
    ("figures", "reason"),
    [
        ({"bits_a": 1.4, "bits_b": 2.0}, "its mean is -1.7000, that on the shelf -1.7000"),
        ({"bits_a": 1.3, "bits_b": 2.2}, "its mean is -1.7500, that on the shelf -1.7000"),
        ({"bits_a": 1.6, "bits_b": 0.2}, "bits/a is 1.600, the bar is 1.5"),
    ],
)
def test_what_is_no_better_or_misses_a_bar_stays_off(figures, reason, tmp_path, byte_bpe):
    shelf = tmp_path / "zoo"
    shelve(RECIPE, leave(tmp_path / "1", byte_bpe, 1, bits_a=1.4, bits_b=2.0), shelf)
    verdict = shelve(RECIPE, leave(tmp_path / "2", byte_bpe, 2, **figures), shelf)
    assert not verdict.shelved
    assert verdict.reasons == (reason,)
    assert on(shelf) == "card 1"


def test_what_has_learned_from_other_data_may_be_put_there_instead(tmp_path, byte_bpe):
    """But the bars hold."""
    shelf = tmp_path / "zoo"
    shelve(RECIPE, leave(tmp_path / "1", byte_bpe, 1, bits_a=1.3, bits_b=2.0), shelf)
    worse = leave(tmp_path / "2", byte_bpe, 2, bits_a=1.4, bits_b=2.0)
    assert shelve(RECIPE, worse, shelf, instead=True).shelved
    assert on(shelf) == "card 2"
    broken = leave(tmp_path / "3", byte_bpe, 3, bits_a=1.6, bits_b=2.0)
    assert not shelve(RECIPE, broken, shelf, instead=True).shelved


def test_a_bar_holds_for_the_first_model_too(tmp_path, byte_bpe):
    verdict = shelve(RECIPE, leave(tmp_path, byte_bpe, 1, bits_a=1.6, bits_b=0.0), tmp_path / "zoo")
    assert not verdict.shelved
    assert zoo.shelf(tmp_path / "zoo") == ()


def test_a_measure_that_the_old_card_has_not_is_left_out_and_named(tmp_path, byte_bpe):
    """The card was written before the measure was thought of."""
    shelf = tmp_path / "zoo"
    native.save(
        shelf / "gpt", "gpt", GPT(tiny_gpt().config), Encoders(byte_bpe),
        card="old", metrics={"bits/a": 1.4, RUNS: []},
    )  # fmt: skip
    note = "the card on the shelf does not say bits/b, so it was not compared"
    worse = shelve(RECIPE, leave(tmp_path / "1", byte_bpe, 1, bits_a=1.45, bits_b=0.1), shelf)
    assert worse.reasons == ("its mean is -1.4500, that on the shelf -1.4000", note)
    assert on(shelf) == "old"
    better = shelve(RECIPE, leave(tmp_path / "2", byte_bpe, 2, bits_a=1.3, bits_b=9.0), shelf)
    assert better.shelved
    assert better.reasons == ("its mean is -5.1500", note)
    assert on(shelf) == "card 2"


def test_a_card_that_says_nothing_of_what_counts_gives_way(tmp_path, byte_bpe):
    shelf = tmp_path / "zoo"
    native.save(
        shelf / "gpt", "gpt", GPT(tiny_gpt().config), Encoders(byte_bpe),
        card="old", metrics={"bits/c": 0.1, RUNS: []},
    )  # fmt: skip
    verdict = shelve(RECIPE, leave(tmp_path, byte_bpe, 1, bits_a=1.4, bits_b=2.0), shelf)
    assert verdict.shelved
    assert len(verdict.reasons) == 3


def test_a_run_that_was_not_measured_on_all_that_counts_is_not_judged(tmp_path, byte_bpe):
    whole = dataclasses.replace(RECIPE.standard, at_least={"heads/*": 0.5})
    recipe = dataclasses.replace(RECIPE, standard=whole)
    verdict = shelve(recipe, leave(tmp_path, byte_bpe, 1, bits_a=1.4), tmp_path / "zoo")
    assert not verdict.shelved
    assert verdict.reasons == (
        "bits/b was not measured in this run", "heads/* was not measured in this run",
    )  # fmt: skip


def test_a_model_that_was_not_measured_is_not_judged(tmp_path, byte_bpe):
    with pytest.raises(CheckpointError, match="has not been measured; end the run first"):
        shelve(RECIPE, leave(tmp_path, byte_bpe, 1), tmp_path / "zoo")


def test_the_commit_is_named_and_marked_when_the_code_differs(tmp_path, monkeypatch):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    monkeypatch.setattr(finish, "_ROOT", tmp_path)
    assert commit() == ""
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "a.py").write_text("1")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "One"]):
        subprocess.run([*git, *words], check=True)
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                          check=True).stdout.strip()  # fmt: skip
    assert commit() == head
    (tmp_path / "README").write_text("not code")
    assert commit() == head
    (tmp_path / "core" / "a.py").write_text("2")
    assert commit() == head + "+"


def test_a_model_that_breaks_a_promise_of_the_pages_is_not_shelved(tmp_path, byte_bpe):
    shelf, serious = tmp_path / "zoo", dataclasses.replace(RECIPE, tier="cpu")
    run = leave(tmp_path / "1", byte_bpe, 1, bits_a=1.4, bits_b=2.0)
    verdict = shelve(serious, run, shelf)
    assert not verdict.shelved
    assert any("BROKEN attention.repeat" in reason for reason in verdict.reasons)
    assert not any("bert" in reason.lower() and "masked" in reason for reason in verdict.reasons)
    assert not (shelf / "gpt").exists()
