"""The language of a text, as far as its frequent words tell it."""

from __future__ import annotations

import pytest

from core import zoo
from core.data.examples import FRENCH, GAP, RED, SPANS, WALK
from core.experiments import BY_ID
from core.text.tongue import not_english, read_by, tongue


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FRENCH, "fr"),
        (WALK, "fr"),
        ("J'ai faim, et toi ?", "fr"),
        (GAP, "en"),
        (RED, "en"),
        (SPANS, "en"),
        ("Aragorn told Frodo to mind Lothlorien", "en"),
        ("Lothlorien", ""),
        ("", ""),
        ("le the", ""),
    ],
)
def test_the_language_is_that_of_the_frequent_words(text, code):
    assert tongue(text) == code


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        (FRENCH, True),
        (WALK, True),
        ("Le chat dort", True),
        ("Der Hund hatte Hunger, und darum fraß er sein ganzes Futter", True),
        ("Der Hund ist sehr hungrig und frisst", True),
        ("El perro tiene hambre y come una manzana", True),
        ("Собака голодна", True),
        ("犬はおなかがすいた", True),
        ("你好 😀", True),
        ("Guten Tag, wie geht es dir heute?", True),
        ("π", False),
        (GAP, False),
        (RED, False),
        ("Pour some tea, please", False),
        ("Anna drinks cold tea. Ben eats hot soup. Anna drinks", False),
        ("Dogs die during war near Los Angeles or Las Vegas", False),
        ("Ursula Le Guin wrote books", False),
        ("Zoë met François at the café", False),
        ("It was war: they danke him", False),
        ("zebras zebras zebras zebras zebras zebras zebras zebras zebras", False),
        ("Lothlorien", False),
        ("", False),
    ],
)
def test_only_what_is_clearly_not_english_is_said_to_be(text, clear):
    assert not_english(text) == clear


def test_our_english_is_never_taken_for_another_language():
    texts = {one.after.get("text") for one in BY_ID.values() if one.after.get("model") == "gpt"}
    english = [text for text in texts if text]
    assert english
    assert [text for text in english if not_english(text)] == []


def test_a_card_says_what_its_model_reads():
    found = {name: read_by((zoo.SHELF / name / "card.md").read_text()) for name in zoo.shelf()}
    assert {found[name] for name in ("gpt", "bert", "bart", "elmo")} == {("en",)}
    assert (found["transformer"], found["rnn"], found["t5"]) == (("fr",), ("fr",), ("en", "fr"))
    assert found["vit"] == ()
