"""The tokens of a text in another order."""

from __future__ import annotations

from core.reading.shuffled import shuffled

TEXT = "The cat sat on the mat."


def test_a_shuffle_moves_the_text_and_leaves_the_marks(gpt, bert):
    for model in (gpt, bert):
        tokens = model.tokens(TEXT)
        order = shuffled(tokens, 1)
        assert sorted(order) == list(range(len(tokens)))
        assert order != tuple(range(len(tokens)))
        assert shuffled(tokens, 1) == order
        assert shuffled(tokens, 2) != order
        for place, token in enumerate(tokens):
            if token.special:
                assert order[place] == place
