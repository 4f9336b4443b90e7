"""Words in the place of others, as a link says it."""

from __future__ import annotations

import re

import pytest

from core.text import swaps
from core.text.swaps import Swap

TEXT = "The dog, it's [MASK]."


def test_words_are_swapped_and_what_stands_around_them_stays():
    found = swaps.read("1~dog~big cat~~2~it's~he is", TEXT)
    assert found == [Swap(1, "dog", "big cat"), Swap(2, "it's", "he is")]
    assert swaps.swapped(TEXT, found) == "The big cat, he is [MASK]."
    assert swaps.written(found) == "1~dog~big cat~~2~it's~he is"
    assert swaps.swapped(TEXT, swaps.read("3~[MASK]~hungry", TEXT)) == "The dog, it's hungry."


@pytest.mark.parametrize("said", [
    "", "0~dog~cat", "9~dog~cat", "1~dog~dog", "1~dog~ ",
    "4~dog~cat",  # the first number after that of the last word
])  # fmt: skip
def test_of_another_text_nothing_is_swapped(said):
    assert swaps.read(said, TEXT) == []


@pytest.mark.parametrize("said", [
    "1", "1~dog", "1~dog~", "x~dog~cat", "1~dog~c~t", "1~dog~a\nb", "1~dog~" + "a" * 41,
    "~~".join(f"{n}~a~b" for n in range(5)),
])  # fmt: skip
def test_what_is_no_swap_is_refused(said):
    assert not re.fullmatch(swaps.PATTERN, said)
