"""The models on the shelf: their figures hold the bars, and are those of these very weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import zoo
from core.training.cards import samples
from core.training.evaluation import best_head, head_metrics

MODELS = ("bert", "gpt")
# The largest (bits per byte) or smallest value a shipped model may have.
AT_MOST = {
    ("gpt", "bits_per_byte/valid_wiki"): 1.60,
    ("gpt", "bits_per_byte/valid_tinystories"): 0.76,
}
AT_LEAST = {
    ("bert", "masked_top_1/valid_wiki"): 0.27,
    ("bert", "masked_top_5/valid_wiki"): 0.45,
    ("bert", "next_sentence/valid_wiki"): 0.75,
}
BEST_HEADS = {"induction": 0.4, "previous_token": 0.5}


def metrics(model: str) -> dict[str, float]:
    found = json.loads((Path(zoo.SHELF) / model / "metrics.json").read_text())
    return {name: value for name, value in found.items() if name != "run"}


@pytest.fixture(scope="module", params=MODELS)
def shipped(request) -> zoo.LoadedModel:
    return zoo.load(request.param, "cpu")


@pytest.mark.parametrize(("model", "name"), AT_MOST)
def test_no_more_bits_than_the_bar(model, name):
    assert metrics(model)[name] <= AT_MOST[model, name]


@pytest.mark.parametrize(("model", "name"), AT_LEAST)
def test_no_fewer_right_guesses_than_the_bar(model, name):
    assert metrics(model)[name] >= AT_LEAST[model, name]


def test_the_card_says_the_measured_figures(shipped):
    lines = shipped.card.splitlines()
    for name, value in metrics(shipped.id).items():
        if not name.startswith(("induction/", "previous_token/", "first_token/")):
            assert f"| {name.replace('/', ', ')} | {value:.3f} |" in lines, name


def test_the_card_says_what_these_weights_say(shipped):
    """Prompts continued and gaps filled again: the weights, tokenizer and sampling of the card."""
    said = samples(shipped)
    assert shipped.card.rstrip().splitlines()[-len(said) :] == said


def test_the_heads_are_measured_on_these_weights_and_hold_their_bars():
    stored, again = metrics("gpt"), head_metrics(zoo.load("gpt", "cpu"))
    assert {name: stored[name] for name in again} == pytest.approx(again, rel=1e-3, abs=1e-5)
    for kind, bar in BEST_HEADS.items():
        assert best_head(again, kind)[1] >= bar
