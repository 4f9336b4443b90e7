"""What the parameters of a link are called in warnings about it."""

from __future__ import annotations

import dataclasses

import pytest

from core.views.params import declared
from pages.parts import names
from pages.parts.names import declaring, in_words
from pages.parts.sections import DECKS, LabPart, TextPart


@pytest.mark.parametrize("cls", declaring(), ids=lambda cls: cls.__name__)
def test_everything_that_a_link_can_say_has_a_name_for_people(cls):
    nameless = [f.name for f in dataclasses.fields(cls) if not declared(cls, f.name).label]
    assert nameless == []


def test_a_lecture_can_turn_the_sections_of_every_page():
    assert {TextPart, LabPart} <= set(DECKS.values())
    for one in DECKS.values():
        (field,) = dataclasses.fields(one)
        assert names.as_selected(field.name, "1") == 1


def test_a_name_that_nothing_declares_is_a_setting():
    assert in_words("token") == "“Token”"
    assert in_words("no_such_thing") == "a setting"


def test_below_0_none_is_chosen_and_0_is_the_first():
    assert names.as_selected("word", "-1") is None
    assert names.as_selected("word", "0") == 0


def test_of_long_texts_nothing_is_remembered_for_all():
    """4,096 of 20 kB would be 80 MB."""
    before = names._read.cache_info().currsize
    assert names.as_selected("token", "0" * 200 + "7") == 7
    assert names._read.cache_info().currsize == before
    assert names.as_selected("token", "123") == 123
    assert names._read.cache_info().currsize == before + 1
