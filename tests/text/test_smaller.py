"""A tokenizer as it was when it had learned fewer entries."""

from __future__ import annotations

import pytest

from core.checkpoints.encoders import TOKENIZER_FILE
from core.errors import CheckpointError, ParameterError
from core.text.smaller import first_entries
from core.text.tokenizer import Tokenizer
from core.text.trained import train_byte_bpe, train_wordpiece
from core.zoo import SHELF
from tests.conftest import TEXTS
from tests.text.awkward import EXAMPLES

SHIPPED = SHELF / "gpt" / TOKENIZER_FILE


def test_it_is_the_one_that_would_have_been_learned(tmp_path):
    """Learning fewer entries of the same texts gives the same tokenizer, entry for entry."""
    train_byte_bpe(TEXTS, 300).save(tmp_path / "large.json")
    train_byte_bpe(TEXTS, 280).save(tmp_path / "small.json")
    small = Tokenizer.from_file(tmp_path / "small.json")
    cut = first_entries(tmp_path / "large.json", 280)
    assert cut.fingerprint == small.fingerprint
    assert cut.vocab_size == 280


def test_what_stays_has_the_id_and_spelling_of_the_whole():
    whole, cut = Tokenizer.from_file(SHIPPED), first_entries(SHIPPED, 2048)
    assert cut.ids == frozenset(range(2048))
    assert all(cut.token(n) == whole.token(n) for n in range(2048))
    assert cut.special_ids == whole.special_ids
    assert cut.merges() == whole.merges()[: 2048 - 257]
    text = "The cat sat on the mat."
    assert cut.encode(text) == whole.encode(text)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_text_can_be_read_and_comes_back(text):
    cut = first_entries(SHIPPED, 300)
    assert cut.decode(cut.encode(text)) == text


@pytest.mark.parametrize("n", [256, 8193])
def test_marks_and_bytes_stay_and_nothing_is_made_up(n):
    assert first_entries(SHIPPED, 257).merges() == []
    with pytest.raises(ParameterError, match="between 257 and 8192"):
        first_entries(SHIPPED, n)


def test_only_merges_that_follow_each_other_can_be_taken_back(tmp_path):
    train_wordpiece(TEXTS, 60).save(tmp_path / "pieces.json")
    with pytest.raises(CheckpointError, match=r"pieces\.json: its merges must make its last"):
        first_entries(tmp_path / "pieces.json", 50)
