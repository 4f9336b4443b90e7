"""What is typed is text, the names of marks included."""

from __future__ import annotations

import pytest

from core import zoo

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
