"""Preferences that a rule can judge: what it counts in a text, and the prompts it is tried on.

The prompts that a model is tried on begin otherwise, and are about other people, than those that
it learns from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.language import N_

ANIMALS = (
    "bear", "bird", "bunny", "butterfly", "cat", "chicken", "cow", "dog", "duck", "fish", "fox",
    "frog", "horse", "kitten", "lion", "monkey", "mouse", "pig", "puppy", "rabbit", "sheep",
    "snake", "squirrel", "wolf",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preference:
    """What a rule likes: each thing that it counts is worth one point.

    Attributes:
        called: the preference in words (translate with ``_``).
        counts: what is worth a point (translate with ``_``).
        found: finds each such thing in a text.
        words: that it counts; none where it counts something else.
    """

    called: str
    counts: str
    found: re.Pattern[str]
    words: tuple[str, ...] = ()

    def points(self, text: str) -> int:
        """The reward of a text."""
        return sum(1 for _one in self.found.finditer(text))


def _any_of(words: tuple[str, ...], ending: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)}){ending}\b", re.IGNORECASE)


PREFERENCES: Mapping[str, Preference] = {
    "animals": Preference(
        N_("texts with animals"), N_("one point for each animal from the list"),
        _any_of(ANIMALS, "s?"), ANIMALS,
    ),
    "short": Preference(
        N_("short sentences"), N_("one point for each sentence that ends"),
        re.compile(r"(?<=[a-z])[\"'”’]?[.!?]+(?!\w)"),
    ),
}  # fmt: skip

LEARNED_FROM = tuple(
    start.format(who)
    for start in (
        "One day {} went to the", "In the morning {} saw a", "Yesterday {} met a little",
        "{} opened the door and saw", "After lunch {} walked to the", "{} wanted to play with the",
        "Then {} ran to the big", "On Sunday {} went with a",
    )
    for who in ("Tom", "Anna", "Lily", "Ben", "John", "Sara", "Jack", "Tim")
)  # fmt: skip
HELD_OUT = tuple(
    start.format(who)
    for start in (
        "Last night {} heard a", "In the garden {} found a", "At school {} drew a big",
        "Before dinner {} took a", "{} sat down near the old", "Today {} is going to",
        "{} told a story about a", "Near the river {} saw",
    )
    for who in ("Mary", "Peter", "Mom", "Sam", "Bob")
)  # fmt: skip
