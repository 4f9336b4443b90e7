"""The card of a model is said in the learner's language as far as the app knows what it says."""

from __future__ import annotations

import pytest

from core import zoo
from core.language import _, use_language
from core.shelf.cards import said
from core.training.recipes import RECIPES


@pytest.fixture
def french():
    use_language("fr")
    yield
    use_language("en")


def test_in_english_it_is_the_file():
    assert said(zoo.card("gpt")) == zoo.card("gpt")


@pytest.mark.parametrize("name", zoo.shelf())
def test_headings_tables_and_sizes_are_french(french, name):
    lines = said(zoo.card(name)).split("\n")
    kept = set(lines) & set(zoo.card(name).split("\n"))
    fixed = [
        line for line in kept if line.startswith(("#", "| run", "| measure", "**", "DIR", "| 1"))
    ]
    assert fixed == []
    assert zoo.card(name).split("\n")[2] not in kept  # its sizes, and what it knows


@pytest.mark.parametrize("name", zoo.shelf())
def test_all_that_its_recipe_says_is_french(french, name):
    """What the model said, behind a dash, and the names of its measures are what is left."""
    recipe = RECIPES[name, "cpu"]
    card = said(zoo.card(name))
    for text in (recipe.says.failures, recipe.says.measured, recipe.says.knows):
        assert text in zoo.card(name)
        assert _(text) != text
        assert _(text) in card
    prose = [line for line in card.split("\n") if line and line[0] not in "#|-*"]
    assert not set(prose) & set(zoo.card(name).split("\n"))


def test_what_it_counts_has_french_signs(french):
    card = said(zoo.card("gpt"))
    assert (
        "6 couches, 4 têtes, d_model 256, d_ff 1024, contexte 512, vocabulaire 8192. Anglais."
        in card
    )
    assert "| repeat_gain | 7,945 |" in card
    assert "(7,0 M de paramètres)" in card
