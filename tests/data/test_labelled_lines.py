"""Sentences with a label each, from our file and from strangers."""

from __future__ import annotations

import pytest

from core.data.labelled_lines import MAX_LINES, our_lines, read_lines
from core.errors import LinesError


def test_our_sentences_are_two_halves_with_as_many_of_each_label():
    ours = read_lines()
    assert ours.labels == ("happy", "sad")
    for half in (ours.train, ours.held):
        assert len(half) >= 20
        assert sum(ours.numbers(half)) * 2 == len(half)
    assert not {line.text for line in ours.train} & {line.text for line in ours.held}
    assert len({line.text for line in (*ours.train, *ours.held)}) == len(ours.train + ours.held)
    assert len(ours.asked) == 2
    assert read_lines("  \n ") == ours == read_lines(our_lines())


def test_of_each_label_the_first_is_learned_from_and_the_second_held_out():
    found = read_lines("a: 1\na: 2\n\nb: 3\n?: who\na: 4\n b :  5: 6 ")
    assert [line.text for line in found.train] == ["1", "3", "4"]
    assert [line.text for line in found.held] == ["2", "5: 6"]
    assert found.asked == ("who",)
    assert read_lines("a: x：y\na: 2\nb: 3\nb: 4").train[0].text == "x：y"
    assert read_lines("gut：schön\ngut：nett\nb: 1\nb: 2").labels == ("gut", "b")
    assert found.numbers(found.train) == [0, 1, 0]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "a: 1\nno label here\nb: 2",
            "Line 2 is not a label, a colon and a sentence: “no label here”.",
        ),
        ("a:\nb: 1", "Line 1 is not a label, a colon and a sentence"),
        (": 1\nb: 1", "Line 1 is not a label, a colon and a sentence"),
        (f"{'x' * 21}: 1", "Line 1 is not a label, a colon and a sentence"),
        (f"a: {'x' * 201}", "Line 1 is longer than 200 characters."),
        ("a: 1\na: 2", "Different labels: 1. From 2 to 4 are needed."),
        ("?: 1", "Different labels: 0."),
        ("\n".join(f"{n % 5}: x" for n in range(20)), "Different labels: 5."),
        ("a: 1\na: 2\nb: 3", "Only one sentence has the label “b”."),
        ("a: x\nb: y\n" * MAX_LINES, "There are 120 sentences, and at most 60"),
        ("{why}: {n}\n{why", "Line 2 is not a label, a colon and a sentence: “{why”."),
    ],
)
def test_what_cannot_be_read_says_which_line_and_that_nothing_is_lost(typed, said):
    with pytest.raises(LinesError) as caught:
        read_lines(typed)
    assert caught.value.sentence().startswith(said)
    assert "Your lines are kept." in caught.value.sentence()
