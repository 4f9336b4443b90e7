"""What a rule counts, and the prompts that it is tried on."""

from __future__ import annotations

import pytest

from core import zoo
from core.data.preferences import HELD_OUT, LEARNED_FROM, PREFERENCES


@pytest.mark.parametrize(
    ("name", "text", "points"),
    [
        ("animals", " saw a cat. The Cats ran to two dogs!", 3),
        ("animals", " catch a category of education", 0),
        ("short", ' ran. He fell! "Oh." Why?', 4),
        ("short", " ran ... . . and", 0),
        ("short", " ran...", 1),
        ("short", " 1.8 of Paul.", 1),
    ],
)
def test_a_rule_counts_what_it_likes(name, text, points):
    assert PREFERENCES[name].points(text) == points


def test_the_prompts_have_one_length_and_nothing_in_common():
    """So that none is cut, and what is held out is new."""
    model = zoo.load("gpt", "cpu")
    lengths = {len(model.encode(text)) for text in (*LEARNED_FROM, *HELD_OUT)}
    assert len(lengths) == 1
    assert len({*LEARNED_FROM, *HELD_OUT}) == len(LEARNED_FROM) + len(HELD_OUT)
    who = [{word for text in texts for word in text.split() if word.istitle() and len(word) > 2}
           for texts in (LEARNED_FROM, HELD_OUT)]  # fmt: skip
    assert {"Tom", "Anna"} <= who[0]
    assert not who[0] & who[1] - {"The", "In"}
    for one in PREFERENCES.values():
        assert not any(map(one.points, (*LEARNED_FROM, *HELD_OUT)))
