"""What tokenizers do: a text cut into tokens, merges learned from one."""

from __future__ import annotations

from core.runs.kinds.tokens import LearnRequest, TokenizeRequest
from core.text.learning import learn

TEXT = "The cat told the dog a story."


def test_a_tokenized_text(runs, gpt, bert):
    found = runs.get(TokenizeRequest("gpt", TEXT))
    assert [token.id for token in found.tokens] == gpt.encode(TEXT)
    assert found.code is gpt.encoders.merges
    assert runs.get(TokenizeRequest("bert", "É[MASK]")).normalized[:2] == ("e", "[")


def test_a_text_is_cut_to_the_context_and_special_tokens_are_text(runs, bert):
    found = runs.get(TokenizeRequest("bert", "[MASK] " + TEXT * 20))
    assert found.text + found.cut == "[MASK] " + TEXT * 20
    assert found.cut
    assert all(token.id != bert.tokenizer.mask_id for token in found.tokens)
    assert len(found.normalized) == len(found.text)
    assert found.code is None
    assert runs.get(TokenizeRequest("gpt", TEXT)).code is not None


def test_merges_are_those_of_the_teaching_version(runs):
    found = runs.get(LearnRequest("a text to learn from, a text", 5))
    expected = learn("a text to learn from, a text", 5)
    assert found.code.merges == expected.code.merges
    assert len(found.code.merges) == 5
