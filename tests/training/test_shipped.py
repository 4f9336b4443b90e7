"""The models on the shelf: their figures hold the bars, and are those of these very weights."""

from __future__ import annotations

import pytest

from core import zoo
from core.checkpoints.native import WEIGHTS_FILE
from core.locale import in_short
from core.training.cards import RUNS, measures_of
from core.training.measures.heads import head_scores
from core.training.recipes import RECIPES

MODELS = zoo.shelf()


def test_everything_that_ships_has_a_recipe():
    assert MODELS
    assert {id_ for id_, _ in RECIPES} >= set(MODELS)


@pytest.fixture(scope="module", params=MODELS)
def shipped(request) -> zoo.LoadedModel:
    return zoo.load(request.param, "cpu")


def test_every_bar_is_reached(shipped):
    standard = RECIPES[shipped.id, "cpu"].standard
    assert standard.missed(measures_of(shipped.metrics)) == {}
    assert standard.score(measures_of(shipped.metrics))


def test_the_card_says_the_measured_figures(shipped):
    lines = shipped.card.splitlines()
    for name, value in measures_of(shipped.metrics).items():
        if not name.startswith(("induction/", "previous_token/", "first_token/")):
            assert f"| {name.replace('/', ', ')} | {value:.3f} |" in lines, name


def test_the_card_names_every_source_and_run(shipped):
    for source in RECIPES[shipped.id, "cpu"].task.sources:
        assert f"| {source.name} | {source.licence} | {source.credit} |" in shipped.card
    counts = RECIPES[shipped.id, "cpu"].task.counts
    for run in shipped.metrics[RUNS]:
        assert run["commit"] in shipped.card
        assert run["command"] in shipped.card
        assert f"| {in_short(run[counts])} |" in shipped.card


def test_the_card_says_what_these_weights_say(shipped):
    """Prompts continued and gaps filled again: the weights, tokenizer and sampling of the card."""
    said = RECIPES[shipped.id, "cpu"].task.samples(shipped)
    lines = shipped.card.rstrip().splitlines()
    assert lines[len(lines) - len(said) :] == said


def test_cards_are_short_and_weights_small(shipped):
    assert len(shipped.card.split()) < 700
    assert (zoo.SHELF / shipped.id / WEIGHTS_FILE).stat().st_size < 45e6


def test_the_heads_are_measured_on_these_weights():
    shipped = zoo.load("gpt", "cpu")
    again = head_scores(shipped)
    stored = {name: shipped.metrics[name] for name in again}
    assert stored == pytest.approx(again, rel=1e-3, abs=1e-5)
