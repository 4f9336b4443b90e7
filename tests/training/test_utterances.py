"""Short utterances: read more often, as people type them, and never one that is measured."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.spelling import letters
from core.training.recipes.french import PHRASEBOOK
from core.training.sources import read_pairs
from core.training.utterances import COPIES, with_utterances

PAIRS = [
    ("Bonjour !", "Hello!"),
    ("Je m'appelle Tom. Et toi ?", "My name is Tom. And you?"),
    ("Le chat dort depuis hier soir sur le tapis.", "The cat has slept on the carpet since."),
]


def test_a_short_pair_is_read_several_times_and_a_long_one_once():
    found = with_utterances(PAIRS, set())
    assert found[: len(PAIRS)] == PAIRS
    alone = Counter(letters(source) for source, _ in found)
    assert alone["bonjour"] > COPIES[1] / 2
    assert alone[letters(PAIRS[2][0])] == 1


def test_a_source_is_written_as_people_type_it():
    spellings = {source for source, target in with_utterances(PAIRS, set()) if target == "Hello!"}
    assert spellings == {"Bonjour !", "Bonjour", "bonjour", "BONJOUR !"}


def test_sentences_of_one_pair_are_learned_alone_but_not_what_is_measured():
    apart = [("Je m'appelle Tom.", "My name is Tom."), ("Et toi ?", "And you?")]
    found = with_utterances(PAIRS, set())
    assert all(part in found for part in apart)
    found = with_utterances(PAIRS, {letters("And you?")})
    assert letters("Et toi") not in {letters(source) for source, _ in found}
    assert apart[0] in found


def test_it_is_the_same_every_time():
    assert with_utterances(PAIRS, set()) == with_utterances(PAIRS, set())


def test_the_phrase_book_holds_each_pair_once():
    pairs = list(read_pairs(Path(PHRASEBOOK.file), "fr", "en"))
    assert len(pairs) == len(set(pairs)) > 500
