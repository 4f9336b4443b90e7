"""The query of a link: short as it is, long packed, and what is too long left out of it."""

from __future__ import annotations

import random

import pytest

from core.answers.link import LONG_LINK, LONGEST_LINK, PACKED, clean, pack, unpack
from core.views.params import MAX_TEXT

SHORT = {"text": "The cat sat & ran", "layer": "1"}


def noise(n: int) -> str:
    """A text that nothing makes shorter."""
    return "".join(map(chr, random.Random(0).choices(range(0x4E00, 0x9000), k=n)))


@pytest.mark.parametrize("text", ["The cat", "a" * (LONG_LINK + 1), noise(400)])
def test_what_a_link_says_comes_back(text):
    query, left_out = pack({**SHORT, "text": text})
    assert left_out == ()
    assert unpack(query) == ({**SHORT, "text": text}, [])


def test_the_longest_value_stays_out_where_all_is_too_long():
    query, left_out = pack({**SHORT, "corpus": noise(LONGEST_LINK)})
    assert left_out == ("corpus",)
    assert query == SHORT


@pytest.mark.parametrize("packed", ["", "not base64 at all!", "eJwDAAAAAAE", "x" * 10_000])
def test_a_link_that_was_not_copied_whole_is_said(packed):
    values, (problem,) = unpack({"layer": "1", PACKED: packed})
    assert (values, problem.name) == ({"layer": "1"}, PACKED)


def test_of_a_text_no_more_is_taken_than_a_field_takes():
    assert len(clean("a" * 10 * MAX_TEXT)) == MAX_TEXT + 1
    assert clean("a\ud800b") == "a?b"
