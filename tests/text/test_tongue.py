"""The language of a text, as far as its frequent words tell it."""

from __future__ import annotations

import pytest

from core.examples import FRENCH, GAP, RED, SPANS, WALK
from core.text.tongue import tongue


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
