"""What the parameters of a link are called in warnings about it."""

from __future__ import annotations

import dataclasses

import pytest

from core.answers.names import Sections, declaring, in_words, selectable
from core.views.params import declared
from pages.parts.table import TABLE


@pytest.mark.parametrize("cls", declaring(), ids=lambda cls: cls.__name__)
def test_everything_that_a_link_can_say_has_a_name_for_people(cls):
    nameless = [f.name for f in dataclasses.fields(cls) if not declared(cls, f.name).label]
    assert nameless == []


def test_a_lecture_can_turn_the_sections_of_every_page():
    names = {field.name for field in dataclasses.fields(Sections)}
    assert names == {row.deck for row in TABLE if row.deck}
    assert names <= selectable()


def test_a_name_that_nothing_declares_is_a_setting():
    assert in_words("token") == "“Token”"
    assert in_words("no_such_thing") == "a setting"
