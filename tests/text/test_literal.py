"""What is typed is text, the names of marks included."""

from __future__ import annotations

from typing import Any

import pytest

from core import zoo
from core.text.literal import within

READERS = [name for name in zoo.shelf() if zoo.blueprint(name).reads_text]


@pytest.mark.parametrize("name", READERS)
def test_the_name_of_any_mark_is_text_that_says_so(name):
    tokenizer = zoo.load(name, "cpu").tokenizer
    own = [tokenizer.token(one).piece for one in sorted(tokenizer.special_ids)[:8]]
    for mark in (*own, "[SEP]", "<|endoftext|>", "<extra_id_0>", "</s>", "<mask>", "[sep]"):
        text = f"a {mark} b"
        body = [one for one in tokenizer.tokens(text) if one.end > one.start]
        assert not any(one.special for one in body), (name, mark)
        spelt = {at for one in body if one.named for at in range(one.start, one.end)}
        assert {at for at in range(2, 2 + len(mark)) if not text[at].isspace()} <= spelt
        assert {0, len(text) - 1}.isdisjoint(spelt)  # "a" and "b" are nobody's name


def test_a_mark_that_hides_a_word_is_none_that_was_named():
    tokens = zoo.load("bert", "cpu").tokenizer.tokens("a [MASK] b", masks=True)
    assert [one.label for one in tokens if one.named] == []


PLACES = [(n, n + 2) for n in range(0, 4000, 4)]  # "__  __  __ "


class Counted(list[Any]):
    """Places that count how often one is looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += 1
        return super().__getitem__(at)

    def __iter__(self) -> Any:
        for one in super().__iter__():
            self.looks += 1
            yield one


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(0, 1, True), (2, 4, False), (1, 3, True), (3, 5, True), (2, 5, True), (2, 9, True),
     (3998, 4000, False), (3990, 3992, False), (3996, 3997, True)],
)  # fmt: skip
def test_a_piece_is_placed_with_a_few_looks(start, end, found):
    """With a look at every place a text of nothing but marks' names took 8 s."""
    places = Counted(PLACES)
    assert within(start, end, places) is found
    assert places.looks < 20
    assert not within(start, end, [])
