"""The words with two senses, and their sentences."""

from __future__ import annotations

import re

import pytest

from core.data.senses import SENSES, in_groups


@pytest.mark.parametrize("word", SENSES)
def test_every_sentence_has_its_word_once_and_no_two_are_the_same(word):
    sentences = [one for of in SENSES[word].values() for one in of]
    assert len(set(sentences)) == len(sentences)
    assert all(len(re.findall(rf"\b{word}\b", one.lower())) == 1 for one in sentences)


def test_groups_are_parted_by_an_empty_line():
    first, second = in_groups("left", 3).split("\n\n")
    assert first.splitlines() == [*SENSES["left"]["not right"][:3]]
    assert second.splitlines() == [*SENSES["left"]["went away"][:3]]
