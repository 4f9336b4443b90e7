"""A text is cut where the context ends, and what is cut is kept."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.errors import NoRoomError
from tests.conftest import loaded, tiny_bert, tiny_gpt
from tests.text.awkward import texts


@given(text=texts)
def test_a_text_is_fitted_and_what_is_cut_is_kept(gpt, bert, text):
    for model in (gpt, bert):
        for whole in (text, text * 7):
            kept, cut = model.fit(whole)
            assert kept + cut == whole
            assert len(model.tokens(kept)) <= 32
            assert bool(cut) == (len(model.tokens(whole)) > 32)


@pytest.mark.parametrize("text", ["word " * 2000, "a" * 10_000, "😀" * 3000, "[MASK]" * 500,
                                  "ß́" * 4000, "\n" * 9000, "猫" * 3000])  # fmt: skip
def test_long_texts_are_fitted_tightly(gpt, bert, text):
    for model in (gpt, bert):
        kept, cut = model.fit(text)
        assert kept + cut == text
        n = len(model.tokens(kept))
        assert n <= 32
        assert not cut or n >= 32 - 4  # a character more would be too much


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["", "a", "[MASK]", "猫" * 20_000])
def test_a_context_that_does_not_hold_the_marks_is_an_error(wordpiece, text):
    model = loaded(tiny_bert(n_ctx=1), wordpiece)
    with pytest.raises(
        NoRoomError, match="context length of 1, and its own markers take 2"
    ) as caught:
        model.fit(text)
    assert (caught.value.limit, caught.value.marks) == (1, 2)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("n_ctx", [2, 3])
@pytest.mark.parametrize("text", ["a", "word ", "a.b", "猫", "😀", "[MASK]", "\n"])
def test_a_long_text_is_cut_to_a_tiny_context_in_a_few_steps(byte_bpe, wordpiece, n_ctx, text):
    """Cut one character at a time, each of these took minutes."""
    whole = (text * 20_000)[:20_000]
    models = loaded(tiny_gpt(n_ctx=n_ctx), byte_bpe), loaded(tiny_bert(n_ctx=n_ctx), wordpiece)
    for model in models:
        kept, cut = model.fit(whole)
        assert kept + cut == whole
        n, one_more = (len(model.tokens(whole[:end])) for end in (len(kept), len(kept) + 1))
        assert n <= n_ctx
        assert not cut or n == n_ctx or one_more > n_ctx
