"""The card of a model is said in the learner's language as far as the app knows what it says."""

from __future__ import annotations

import pytest

from core import zoo
from core.cards import said
from core.language import use_language


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
    assert zoo.card(name).split("\n")[2] not in kept  # its sizes


def test_what_it_counts_has_french_signs(french):
    card = said(zoo.card("gpt"))
    assert (
        "6 couches, 4 têtes, d_model 256, d_ff 1024, contexte 512, vocabulaire 8192. Anglais."
        in card
    )
    assert "| repeat_gain | 7,945 |" in card
    assert "(7,0 M de paramètres)" in card
