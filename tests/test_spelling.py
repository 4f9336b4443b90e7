"""Texts as they are shown: nothing in them stays hidden."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given

from core import spelling
from core.spelling import composed, put_together, visible
from tests.text.awkward import texts


@given(texts)
def test_nothing_hidden_is_left_in_what_is_shown(text):
    shown = visible(text)
    assert not re.search(
        r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ufffe\uffff]", shown
    ) or (
        # blanks that have a width of their own are shown as they are
        set(re.findall(r"\s", shown))
        <= set("\u2003\u3000\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u205f\u202f")
    )
    assert len(shown) >= len(text)


@given(texts)
def test_letters_that_came_apart_are_named_and_nothing_else_is(text):
    assert bool(put_together(text)) == (composed(text) != text)
    assert put_together(composed(text)) == []


def test_a_letter_with_its_accents_is_one_character():
    apart = unicodedata.normalize("NFD", "Où est le café, l'école, ça ? 한 é")
    assert composed(apart) == "Où est le café, l'école, ça ? 한 é"
    assert put_together(apart) == ["ù", "é", "ç", "한"]


@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0f73", "\u0344"])
def test_no_row_of_marks_is_put_in_order_at_once(monkeypatch, marks):
    asked = []

    class Noting:
        category = staticmethod(unicodedata.category)

        @staticmethod
        def normalize(form: str, text: str) -> str:
            asked.append(text)
            return unicodedata.normalize(form, text)

    monkeypatch.setattr(spelling, "unicodedata", Noting)
    text = "a" + marks * 10_000 + "e\u0301"
    assert composed(text).endswith("é")
    assert "".join(asked) == text
    assert max(map(len, asked)) <= spelling.MARKS + 1
    put_together(text)
    assert max(map(len, asked)) <= spelling.MARKS + 1


def test_a_letter_of_any_language_has_all_its_marks():
    for text in ("שִׂ", "e" + "\u0323\u0302" * 15, "ཀྵི" * 9, "กี่", "ㅎㅏㄴ한"):
        apart = unicodedata.normalize("NFD", text)
        assert composed(apart) == unicodedata.normalize("NFC", text)
